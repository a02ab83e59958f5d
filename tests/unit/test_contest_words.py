"""The words that tell the classes of a text apart."""

import math
from statistics import mean, pstdev

from pte.classify.result import TELLING, telling_words
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.tokenise import TOKENISERS


def encoded(*texts):
    """A corpus of (text, label, more labels) for training."""
    documents = [Document(text.encode(), label, TRAIN, more) for text, label, *more in texts]
    return encode(documents, TOKENISERS["whitespace"])


def told(corpus):
    return [[corpus.words[word].decode() for word in words] for words in telling_words(corpus)]


def test_telling_words_are_those_of_the_class():
    corpus = encoded(*[(f"the word{i} all", f"class{i}") for i in range(3) for _ in range(5)])
    assert [words[0] for words in told(corpus)] == ["word0", "word1", "word2"]


def test_further_labels_count_as_the_first_does():
    texts = [("the isa", "a"), ("the isb", "b"), ("the isa isc", "a", "c")]
    corpus = encoded(*texts * 5)
    assert [words[0] for words in told(corpus)[1:]] == ["isb", "isc"]


def test_a_word_of_few_documents_tells_nothing():
    corpus = encoded(*[("good day", "a")] * 5, *[("bad day", "b")] * 5, ("rare good", "a"))
    assert told(corpus)[0][0] == "good"
    assert "rare" not in [*told(corpus)[0], *told(corpus)[1]]


def test_in_a_small_class_the_most_frequent_words_may_tell():
    corpus = encoded(("good good day", "a"), ("bad day", "b"), ("bad night", "b"))
    assert set(told(corpus)[0]) == {"good", "day"}
    assert told(corpus)[1] == ["bad"]


def test_only_labelled_documents_for_training_count():
    documents = [Document(b"good day", "a", TRAIN)] * 4 + [Document(b"bad day", "b", TRAIN)] * 4
    more = [Document(b"new day", "b", TEST)] * 9 + [Document(b"new good", None, TRAIN)] * 9
    corpus = encode(documents + more, TOKENISERS["whitespace"])
    assert [words[0] for words in told(corpus)] == ["good", "bad"]
    assert "new" not in [*told(corpus)[0], *told(corpus)[1]]


def test_at_most_so_many_words_come_back():
    corpus = encoded(*[(" ".join("abcdefghijkl"), "a")] * 3, *[("m", "b")] * 3)
    assert [len(words) for words in told(corpus)] == [TELLING, 1]


def plain_weights(texts):
    """TF-IDF as its formula says, a dictionary for each text."""
    n, words = len(texts), {word for text in texts for word in text}
    rare = {w: math.log((1 + n) / (1 + sum(w in text for text in texts))) + 1 for w in words}
    rows = [{w: text.count(w) * rare[w] for w in words} for text in texts]
    return [{w: x / math.hypot(*row.values()) for w, x in row.items()} for row in rows]


def test_the_order_is_that_of_the_formula():
    texts = [
        *(("a b b c", "x"), ("a c d", "x"), ("a a b", "x"), ("b c e", "x")),
        *(("a d d", "y"), ("d e e c", "y"), ("d a e", "y"), ("c d", "y")),
    ]
    rows = plain_weights([text.split() for text, _ in texts])
    corpus = encoded(*texts)
    for name, found in zip(corpus.classes, told(corpus), strict=True):
        inside = [row for row, (_, label) in zip(rows, texts, strict=True) if label == name]
        above = {
            w: (mean(row[w] for row in inside) - mean(row[w] for row in rows))
            / pstdev(row[w] for row in rows)
            for w in rows[0]
            if sum(row[w] > 0 for row in inside) >= 3
        }
        assert found == sorted(above, key=above.__getitem__, reverse=True)
        assert len({round(value, 5) for value in above.values()}) == len(above)
