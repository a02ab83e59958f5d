from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import load_array, read_json
from pte.selection.scores import read_features
from pte.selection.unlabelled import predict_unlabelled
from pte.training.plan import FitPlan
from pte_study.report.own_excerpts import TextFile
from pte_study.report.own_files import write_predictions, write_vectors

with logged(snakemake):
    files, folder = snakemake.input, Path(snakemake.output.npz).parent
    corpus, verdict = EncodedCorpus.load(Path(files.corpus)), read_json(Path(files.verdict))
    predictor = snakemake.params.predictors[verdict["predictor"]]
    _, features = read_features(FitPlan(**predictor["plan"]), predictor["files"], seed=0)
    guesses = predict_unlabelled(corpus, features, verdict["choice"])
    text = TextFile.of(files.text, snakemake.params.reading)
    write_predictions(corpus, guesses, folder, text, snakemake.params.separator)
    write_vectors(corpus, load_array(Path(files.vectors)), folder)
