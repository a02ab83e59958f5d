from pathlib import Path

from job import logged

from pte.claims.evidence import Evidence, judge_protocols
from pte.claims.pairing import Kinds
from pte.render.text import write_text
from pte.report.stored_claims import StoredEvidence, judge_stored
from pte.report.verdicts import verdicts_page, write_verdicts
from pte.study.entries import MAIN_METHOD

with logged(snakemake):
    files, params = dict(snakemake.input.items()), snakemake.params
    protocols, unavailable = params.protocols, params.unavailable
    kinds = Kinds(params.unseeded, params.stochastic)
    if "scores" not in files:
        published = StoredEvidence.read([Path(f) for f in files.get("stores", [])], params.names)
        pairs = judge_stored(params.claims, published, protocols, unavailable, kinds)
    else:
        evidence = Evidence.of(files)
        given = (evidence, protocols, unavailable, kinds, MAIN_METHOD)
        pairs = judge_protocols(params.claims, *given)
    stem = Path(snakemake.output.csv).with_suffix("")
    write_verdicts(pairs, params.claims, params.labels, stem)
    write_text(stem, "html", verdicts_page(pairs, params.claims, params.labels))
