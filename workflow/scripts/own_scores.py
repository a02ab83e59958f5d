from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.report.own_scores import contest, seconds_of, write_contest
from pte.study.entries import Row

with logged(snakemake):
    files, params = snakemake.input, snakemake.params
    corpus = EncodedCorpus.load(Path(files.corpus))
    rows = [Row(**row) for row in params.rows]
    took = seconds_of(params.needed)
    found = contest(corpus, dict(zip(rows, map(Path, files.scores), strict=True)), took)
    write_contest(found, params.predictors, Path(snakemake.output.csv).parent)
    print(found.frame)
