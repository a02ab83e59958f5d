from pathlib import Path

from job import logged

from pte.claims.verdicts import Evidence, judge_settings
from pte.render.text import write_text
from pte.report.stored_claims import judge_stored
from pte.report.verdicts import verdicts_page, write_pairs, write_verdicts
from pte.study.entries import MAIN_METHOD
from pte.study.stored_runs import stored_runs

with logged(snakemake):
    files, params = snakemake.input, snakemake.params
    given = (params.settings, params.unavailable, params.unseeded)
    if files.get("scores") is None:
        published = stored_runs(map(Path, files.get("stores", [])), params.names)
        pairs = judge_stored(params.claims, published, *given)
    else:
        named = (files.scores, files.checkpoints, files.corpora)
        evidence = Evidence(*([Path(path) for path in each] for each in named), MAIN_METHOD)
        pairs = judge_settings(params.claims, evidence, *given)
    stem = Path(snakemake.output.csv).with_suffix("")
    write_pairs(pairs, Path(snakemake.output.pairs))
    write_verdicts(pairs, params.claims, params.labels, stem)
    write_text(stem, "html", verdicts_page(pairs, params.claims, params.labels))
