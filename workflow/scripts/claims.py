from pathlib import Path

from job import logged

from pte.claims.evidence import Evidence, RunFiles, judge_protocols
from pte.claims.pairing import Kinds
from pte.render.text import write_text
from pte.report.stored_claims import StoredEvidence
from pte.report.verdicts import verdicts_page, write_verdicts
from pte.study.entries import MAIN_METHOD

with logged(snakemake):
    files, params = dict(snakemake.input.items()), snakemake.params
    evidence: Evidence = RunFiles.of(MAIN_METHOD, files)
    if params.names is not None:
        evidence = StoredEvidence.read(list(map(Path, files.get("stores", []))), params.names)
    kinds = Kinds(params.unseeded, params.stochastic)
    pairs = judge_protocols(params.claims, evidence, params.protocols, params.unavailable, kinds)
    stem = Path(snakemake.output.csv).with_suffix("")
    write_verdicts(pairs, params.claims, params.labels, stem)
    write_text(stem, "html", verdicts_page(pairs, params.claims, params.labels))
