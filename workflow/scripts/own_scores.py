from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte_study.report.own_contest import contest, seconds_of
from pte_study.report.own_scores import write_contest

with logged(snakemake):
    files, params = snakemake.input, snakemake.params
    corpus = EncodedCorpus.load(Path(files.corpus))
    took = seconds_of(params.needed)
    found = contest(corpus, dict(zip(params.rows, map(Path, files.scores), strict=True)), took)
    write_contest(found, params.predictors, Path(snakemake.output.csv).parent)
    print(found.frame)
