from pathlib import Path

from job import logged

from pte_study.claims.judging import Kinds, judge_protocols
from pte_study.report.verdicts import write_verdicts
from pte_study.store import read_stores

with logged(snakemake):
    params = snakemake.params
    stores = read_stores(map(Path, snakemake.input.get("places", [])), params.names)
    kinds = Kinds(params.unseeded, params.stochastic)
    pairs = judge_protocols(params.claims, stores, params.protocols, params.unavailable, kinds)
    write_verdicts(pairs, params.claims, params.labels, Path(snakemake.output.csv).with_suffix(""))
