from pathlib import Path

from job import logged

from pte_study.claims.judging import Kinds, judge_protocols
from pte_study.render.tables import write_text
from pte_study.report.verdicts import verdicts_page, write_verdicts
from pte_study.store.reading import read_stores

with logged(snakemake):
    params = snakemake.params
    stores = read_stores(map(Path, snakemake.input.get("places", [])), params.names)
    kinds = Kinds(params.unseeded, params.stochastic)
    pairs = judge_protocols(params.claims, stores, params.protocols, params.unavailable, kinds)
    stem = Path(snakemake.output.csv).with_suffix("")
    write_verdicts(pairs, params.claims, params.labels, stem)
    write_text(stem, "html", verdicts_page(pairs, params.claims, params.labels))
