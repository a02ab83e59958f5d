from pathlib import Path

from job import logged

from pte_study.claims.evidence import Evidence, RunFiles, judge_protocols
from pte_study.claims.pairing import Kinds
from pte_study.configuration.entries import MAIN_METHOD
from pte_study.render.text import write_text
from pte_study.report.stored_claims import StoredEvidence
from pte_study.report.verdicts import verdicts_page, write_verdicts

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
