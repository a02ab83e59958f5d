from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.evaluation.evaluate import evaluate
from pte.evaluation.record import write_score
from pte.models import bow

with logged(snakemake):
    seed = int(snakemake.wildcards.seed)
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    predicted, scores = evaluate(corpus, bow.fit(corpus), snakemake.params.setting, seed)
    run = dict(snakemake.wildcards) | {"seed": seed}
    training = {"samples": None, "seconds": None}
    write_score(Path(snakemake.output.scores).with_suffix(""), run, training, predicted, scores)
    print(run, scores["micro_f1"], scores["macro_f1"], scores["choice"])
