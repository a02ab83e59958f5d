"""Every method of a contest as an estimator: text and some labels go in, classes come out."""

from dataclasses import dataclass, replace

from pte.classify.errors import BadInput, check_samples, check_whole
from pte.classify.help import filled
from pte.classify.learning import MOST_EDGES, Settings
from pte.classify.learning_classifier import LearningClassifier, settings_of
from pte.classify.registry import method_named
from pte.limits import MOST_SAMPLES
from pte.models import pte_auto
from pte.training.method import Method
from pte.training.setup import Setup


@filled
@dataclass(kw_only=True, eq=False, repr=False)
class TextClassifier(LearningClassifier):
    """A classifier of texts by any method of a contest: a bag of words, PTE, a CNN and others.

    Take it to learn what `pte evaluate` has found to be best on your text. With the same seed and
    one thread it is the model that the contest has scored. T, C and most else that a method chooses
    are chosen on documents that are held out; Skip-gram, paragraph vectors, label propagation and
    fastText take usual values. Documents without a label train as well, if the method can learn
    from them.

    Parameters
    ----------
    method : str, default="pte_auto"
        A method by its name in the registry: "bow", "bow_pairs", "nb_em", "label_propagation",
        "skip_gram", "pvdbow", "pvdm", "line_ww_wd", "cnn", "cnn_pretrain", "pte_joint",
        "pte_joint_bow", "pte_auto", "encoder", "nb_svm_pairs", "svm_pairs", "svm_letters",
        "fasttext", "majority" and the variants of LINE and PTE. Vectors of a CNN and of
        fastText have 100 numbers, whatever `dim` is.
    samples : int, "chosen" or "auto", default="chosen"
        T, the number of edges that a training of LINE or PTE draws. "chosen" searches for T on
        labelled documents that are held out. "auto" is ten times the number of edges. A number
        saves the search. Other methods do not use it.
    order_lost : bool, default=False
        Whether the texts are bags of words, whose order says nothing. Then networks of neighbouring
        words are left out.
    {encoder}
    {window}
    {common}

    Attributes
    ----------
    {classes}
    {class_shares}
    chosen_ : dict
        What was chosen on held-out documents: T, epochs, C, whether documents have unit length and
        whether there is a bias, and so on.
    judged_ : Judgement or None
        The micro-F1 of PTE(auto) on held-out documents, as in `PTEAuto`; None for other methods.
    several_labels_ : bool
        Whether documents may have several labels.
    {word_vectors}
    {label_vectors}

    See Also
    --------
    pte.PTEAuto : PTE(auto) with settings of its own.
    pte.PTEClassifier : PTE with networks and weights of your choice.

    Notes
    -----
    `benchmarks` and the tables of the study run the same methods. A document without a word that
    `fit` has met gets the shares of the classes, and so the largest class.

    References
    ----------
    The page `methods.md` of the documentation names the paper of each method.

    Examples
    --------
    {example}
    >>> model = pte.TextClassifier(method="bow", random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> model.explain("the goal of the bank", "sport")[0][0]
    'goal'
    """

    method: str = "pte_auto"
    samples: int | str = "chosen"
    order_lost: bool = False

    def _entry(self) -> Method:
        method = method_named(self.method)
        if self.order_lost and method.on_lost_order().ordered:
            raise BadInput(
                f"order_lost: {method.name} needs the order of words; take another method, such as "
                "pte_joint or bow"
            )
        return method

    def _settings(self, setup: Setup) -> Settings:
        settings = settings_of(setup, check_samples(self.samples, MOST_SAMPLES))
        return replace(settings, order_lost=self.order_lost)


@filled
@dataclass(kw_only=True, eq=False, repr=False)
class PTEAuto(LearningClassifier):
    """PTE(auto): a classifier that learns from vectors of PTE and LINE and from the words.

    Take it to predict one label for each document, when you do not want to tune. It sets its own
    hyperparameters, and trains up to twelve times. `PTEClassifier` trains one to four times, and
    learns several labels for each document.

    Six experts learn the classes. Five are logistic regressions: on vectors of PTE(joint), on
    vectors of LINE, on TF-IDF of words and pairs of words, on TF-IDF of runs of letters, and on
    log-count ratios of words and pairs. The other is naive Bayes with EM. Labelled documents that
    no expert has seen, the judges, decide how much each expert counts. Letters count only with up
    to 20,000 labelled documents. Documents without a label train as well. With an `encoder` of
    texts, a seventh expert is a logistic regression on its vectors; if few documents judge, the
    other experts count only as far as they surely help. Regressions lean towards large classes, and
    "rare classes" is the weight of what speaks for small ones.

    With many labels, words carry the classifier, and vectors add little. With few labels, vectors
    add one to ten points.

    Parameters
    ----------
    pairs : bool, default=True
        Whether pairs of neighbouring words count, too. Without pairs, a model is many times
        smaller.
    samples_limit : int, default=150_000_000
        The most edges that a training draws, so that a smaller limit bounds the time of `fit`.
    {encoder}
    {window}
    {common}

    Attributes
    ----------
    {classes}
    {class_shares}
    chosen_ : dict
        What was chosen: under "samples" T of PTE(joint) and T of LINE, and under "experts" how much
        each expert counts, by its name; 0 means that it does not count.
    judged_ : Judgement or None
        The micro-F1, in percent, of the classifier on the judges, as `micro_f1`, its 95 % interval,
        as `interval`, and the number of judges, as `documents`. The judges had no part in the
        weights by which they are predicted; fewer than some hundred judges say little. It is
        None if no class has two labelled documents, so that none can judge.
    several_labels_ : bool
        False: the classifier learns one label for each document.
    {word_vectors}
    {label_vectors}

    See Also
    --------
    pte.PTEClassifier : Faster, and for several labels for each document.
    pte.TextClassifier : The same and all other methods, as a contest compares them.
    pte.LabelledFolds : Folds for cross-validation with documents that have no label.

    Notes
    -----
    LINE is trained without the text of any judge, or anew for each fold if more than half of the
    documents judge, and once more at the end. PTE begins at these vectors, with a third of their
    edges, for each of up to five folds and at the end. T of LINE is 2,000 edges for each word, up
    to `samples_limit`. Memory is that of two trainings, about 130 bytes for each token, and 24
    bytes for each class and each word or pair. With the same seed, words, T and one thread,
    `TextClassifier(method="pte_auto")` and the workflow give the same predictions for documents
    without new words, whose letters the workflow leaves out.

    References
    ----------
    {paper}
    Section 3 has the networks, and section 5.4 leaves weights for few labels to future work. Wang
    and Manning: Baselines and Bigrams, ACL 2012 (log-count ratios). Nigam, McCallum, Thrun and
    Mitchell: Text Classification from Labeled and Unlabeled Documents using EM, Machine Learning
    39, 2000.

    Examples
    --------
    {example}
    >>> model = pte.PTEAuto(dim=8, samples_limit=20_000, threads=1, random_state=0)
    >>> model.fit(texts * 5, labels * 5).predict(["the goal of the team", "the rate of the bank"])
    array(['sport', 'money'], dtype='<U5')
    >>> sorted(model.chosen_["experts"])
    ['LINE', 'NB+EM', 'PTE', 'TF-IDF', 'letters', 'log-count ratios', 'rare classes']
    >>> model.judged_.documents
    15
    """

    pairs: bool = True
    samples_limit: int = MOST_EDGES

    def _entry(self) -> Method:
        method = method_named(pte_auto.METHOD)
        return replace(method, options={**method.options, "pairs": bool(self.pairs)})

    def _settings(self, setup: Setup) -> Settings:
        limit = check_whole("samples_limit", self.samples_limit, 1, most=MOST_SAMPLES)
        return replace(settings_of(setup), samples_limit=limit)
