"""What a method yields becomes scores."""

import numpy as np

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.documents import document_means
from pte.evaluation.linear import Features
from pte.evaluation.metrics import score
from pte.evaluation.record import Scored
from pte.evaluation.setting import ClassifierSetting
from pte.selection.classifier import classify


def score_fit(
    corpus: EncodedCorpus,
    array: Features,
    yields: str,
    setting: ClassifierSetting | None,
    seed: int,
) -> Scored:
    """Score what `pte.training.contract.Spec.yields` names.

    Predictions are compared with the labels of the test documents, and need no `setting`. A
    document is the mean of its word vectors (paper, equation 8); vectors and features of documents
    are taken as they are. Raises `PteError` when word vectors are not finite, and as `classify`.
    """
    if yields == "predictions":
        predicted = np.asarray(array)
        truth = corpus.targets(corpus.documents(TEST))
        return Scored(predicted, score(truth, predicted, corpus.classes))
    if yields == "words":
        array = document_means(corpus, np.asarray(array))
    if setting is None:
        raise PteError(f"{yields}: a classifier needs a setting")
    return classify(corpus, array, setting, seed)
