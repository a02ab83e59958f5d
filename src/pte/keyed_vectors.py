"""Vectors of words, labels or documents by their keys, and the file format of word2vec."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.errors import PteError
from pte.limits import MOST, refuse_outside
from pte.vector_files import read_vectors, write_vectors
from pte.word_tests import AnalogyScores, PairScores, analogies, answers, judged_pairs


class UnknownKey(PteError, KeyError):
    """The error for a key that has no vector; it is a `PteError` and a `KeyError`.

    `KeyedVectors` raises it when you ask for a word that it does not hold. If it holds the word in
    lower case, the message says so.
    """

    def __str__(self) -> str:
        """Return the message as it is; a `KeyError` would put it in quotes."""
        return str(self.args[0])


@dataclass(frozen=True, eq=False, repr=False)
class KeyedVectors:
    """Vectors by their keys: of words, of labels, or of documents.

    Take it to look up vectors, to find similar words, and to exchange vectors with word2vec and
    gensim. The estimators return it as `word_vectors_` and `label_vectors_`; or make it from keys
    and vectors of your own.

    It works like a dictionary that cannot be changed: `len`, `in`, iteration over the keys, and
    `vectors["goal"]`, shape (dim,), or `vectors[["goal", "match"]]`, shape (2, dim).

    Parameters
    ----------
    keys : tuple of str
        Distinct texts, one for each row of `vectors`. Bytes of a word that are not UTF-8 are kept
        in the form of Python's `surrogateescape`, so that a file gets exactly these bytes again.
    vectors : ndarray of float32, shape (keys, dim)
        The vectors, a row for each key. They are not copied.

    Attributes
    ----------
    index : dict of str to int
        The row of each key.
    key_to_index : dict of str to int
        The same, by the name that gensim has for it.
    raw_keys : tuple of bytes
        The exact bytes of each key.
    raw_index : dict of bytes to int
        The row of each key, by its exact bytes.
    dim : int
        The length of a vector.

    Raises
    ------
    PteError
        When a key is not text, when a key is there twice, and when there are more or fewer keys
        than vectors.
    UnknownKey
        When you ask for the vector of a key that is not there. It is a `KeyError`, too.

    See Also
    --------
    pte.PTE : Learns vectors of words and of labels.
    pte.SkipGram : Learns vectors of words as word2vec does.

    References
    ----------
    Mikolov, Yih and Zweig: Linguistic Regularities in Continuous Space Word Representations, NAACL
    2013 (sums and differences of vectors).

    Examples
    --------
    >>> import numpy as np
    >>> import pte
    >>> keys = ("goal", "match", "rate")
    >>> rows = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)
    >>> vectors = pte.KeyedVectors(keys, rows)
    >>> vectors
    KeyedVectors of 3 keys ('goal', 'match', 'rate'), dim 2
    >>> vectors["match"].shape, "rate" in vectors, list(vectors)
    ((2,), True, ['goal', 'match', 'rate'])
    >>> [key for key, cosine in vectors.most_similar("goal")]
    ['match', 'rate']
    >>> vectors["Goal"]
    Traceback (most recent call last):
        ...
    pte.keyed_vectors.UnknownKey: 'Goal' has no vector; there is 'goal'
    """

    keys: tuple[str, ...]
    vectors: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Check that the keys fit the vectors; raises `PteError`."""
        object.__setattr__(self, "keys", tuple(self.keys))
        object.__setattr__(self, "vectors", np.asarray(self.vectors))
        if self.vectors.dtype.kind not in "fiu":
            raise PteError(f"vectors: they are {self.vectors.dtype}; give an array of numbers")
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.keys):
            shape = self.vectors.shape
            raise PteError(f"keys: {len(self.keys)} keys for vectors of shape {shape}")
        for strange in (key for key in self.keys if not isinstance(key, str)):
            raise PteError(f"keys: {strange!r} is no text; write it as text: str({strange!r})")
        if len(self.index) != len(self.keys):
            raise PteError("keys: some key is there twice; each must have one vector")

    @classmethod
    def of_bytes(cls, keys: Iterable[bytes], vectors: NDArray[np.float32]) -> "KeyedVectors":
        """Make `KeyedVectors` from keys that are byte strings, as tokens are.

        Parameters
        ----------
        keys : iterable of bytes
            Distinct byte strings, in UTF-8 or not.
        vectors : ndarray of float32, shape (keys, dim)
            The vectors, a row for each key.

        Returns
        -------
        KeyedVectors
            The vectors, by the texts of the keys; `raw_keys` has the bytes.

        Raises
        ------
        PteError
            When a key is there twice, and when there are more or fewer keys than vectors.
        """
        return cls(tuple(key.decode("utf-8", "surrogateescape") for key in keys), vectors)

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each key."""
        return {key: row for row, key in enumerate(self.keys)}

    @cached_property
    def raw_keys(self) -> tuple[bytes, ...]:
        """The exact bytes of each key."""
        return tuple(key.encode("utf-8", "surrogateescape") for key in self.keys)

    @cached_property
    def raw_index(self) -> dict[bytes, int]:
        """The row of each key, by the exact bytes of the key."""
        return {key: row for row, key in enumerate(self.raw_keys)}

    @property
    def key_to_index(self) -> dict[str, int]:
        """The row of each key, by the name that gensim has for it."""
        return self.index

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return int(self.vectors.shape[1])

    def __repr__(self) -> str:
        """Return a text with the number of keys, the first keys, and the length of a vector."""
        shown = ", ".join(map(repr, self.keys[:3])) + ", …" * (len(self) > 3)
        return f"KeyedVectors of {len(self):,} keys ({shown}), dim {self.dim}"

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self.keys)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys, in the order of their rows."""
        return iter(self.keys)

    def __contains__(self, key: object) -> bool:
        """Return whether a key has a vector."""
        return key in self.index

    def __getitem__(self, key: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the vector of a key, or the vectors of several keys.

        Parameters
        ----------
        key : str or sequence of str
            One key, or a list of keys.

        Returns
        -------
        ndarray of float32, shape (dim,) or (keys, dim)
            The vector of the key; for a list, a row for each key.

        Raises
        ------
        UnknownKey
            When a key has no vector. It is a `KeyError`, too.
        """
        if isinstance(key, str):
            return np.array(self.vectors[self._row(key)])
        return np.asarray(self.vectors[self._rows(key)])

    def get_vector(self, key: str, norm: bool = False) -> NDArray[np.float32]:
        """Return the vector of a key, as `vectors[key]` does.

        Parameters
        ----------
        key : str
            The key.
        norm : bool, default=False
            Whether to scale the vector to length 1.

        Returns
        -------
        ndarray of float32, shape (dim,)
            The vector.

        Raises
        ------
        UnknownKey
            When the key has no vector.
        """
        return np.array((self._unit if norm else self.vectors)[self._row(key)])

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of the vectors of two keys.

        Parameters
        ----------
        one, other : str
            The keys.

        Returns
        -------
        float
            The cosine, -1 to 1; 0 if one of the vectors is zero.

        Raises
        ------
        UnknownKey
            When a key has no vector.
        """
        return float(_cosines(self._unit[self._row(one)], self._unit[self._row(other)]))

    def n_similarity(self, ones: Sequence[str], others: Sequence[str]) -> float:
        """Return the cosine of the mean vectors of two lists of keys.

        Parameters
        ----------
        ones, others : sequence of str
            The keys; at least one of each.

        Returns
        -------
        float
            The cosine, -1 to 1; 0 if one of the means is zero.

        Raises
        ------
        UnknownKey
            When a key has no vector.
        PteError
            When a list is empty.
        """
        rows = [self._rows(keys) for keys in (ones, others)]
        if not all(rows):
            raise PteError("ones, others: give at least one key in each")
        means = (self.vectors[each].mean(axis=0, dtype=np.float64) for each in rows)
        return float(_cosines(*map(_unit, means)))

    def most_similar(
        self,
        positive: str | Sequence[str],
        negative: str | Sequence[str] = (),
        topn: int = 10,
    ) -> list[tuple[str, float]]:
        """Return the keys near the `positive` keys and far from the `negative` keys, with cosines.

        Vectors are scaled to the same length before they are added and subtracted. The given keys
        are left out of the result (Mikolov et al., NAACL 2013).

        Parameters
        ----------
        positive : str or sequence of str
            The key or keys to be near to.
        negative : str or sequence of str, default=()
            The key or keys to be far from, as in "king" - "man" + "woman".
        topn : int, default=10
            How many keys to return at most.

        Returns
        -------
        list of (str, float)
            Keys and their cosines, the largest cosine first.

        Raises
        ------
        UnknownKey
            When a key has no vector.
        PteError
            When no key is given, and when a vector is given in place of a key: `nearest` takes
            vectors.
        """
        added, taken = self._rows(positive), self._rows(negative)
        if not added + taken:
            raise PteError("positive: give at least one key")
        wanted = self._unit[added].sum(axis=0) - self._unit[taken].sum(axis=0)
        return self._best(wanted, topn, set(added + taken))

    def most_similar_cosmul(
        self,
        positive: str | Sequence[str],
        negative: str | Sequence[str] = (),
        topn: int = 10,
    ) -> list[tuple[str, float]]:
        """Return keys as `most_similar` does, but multiply similarities instead of adding vectors.

        A cosine c counts as (1 + c) / 2. The result is the product over the `positive` keys,
        divided by the product over the `negative` keys (Levy and Goldberg, CoNLL 2014).

        Parameters
        ----------
        positive : str or sequence of str
            The key or keys to be near to, at least one.
        negative : str or sequence of str, default=()
            The key or keys to be far from.
        topn : int, default=10
            How many keys to return at most.

        Returns
        -------
        list of (str, float)
            Keys and their scores, the largest first.

        Raises
        ------
        UnknownKey
            When a key has no vector.
        PteError
            When no positive key is given, and when a vector is given in place of a key.
        """
        near, far = self._rows(positive), self._rows(negative)
        if not near:
            raise PteError("positive: give at least one key")
        likeness = (1 + self._unit @ self._unit[near + far].T) / 2
        above, below = likeness[:, : len(near)], likeness[:, len(near) :]
        return self._largest(above.prod(axis=1) / (below.prod(axis=1) + 1e-6), topn, {*near, *far})

    def nearest(self, vector: NDArray[np.float32], topn: int = 10) -> list[tuple[str, float]]:
        """Return the keys with the largest cosines to a vector, and the cosines.

        Parameters
        ----------
        vector : ndarray of float32, shape (dim,)
            Any vector of the same space, such as that of a document from `transform`.
        topn : int, default=10
            How many keys to return at most.

        Returns
        -------
        list of (str, float)
            Keys and their cosines, the largest cosine first.

        Raises
        ------
        PteError
            When the vector has not `dim` finite numbers.
        """
        given = np.asarray(vector)
        is_one = given.dtype.kind in "fiu" and given.shape == (self.dim,)
        if not is_one or not np.isfinite(given).all():
            raise PteError(f"vector: give {self.dim} finite numbers; keys: `most_similar`")
        return self._best(given / (np.abs(given).max() or 1), topn, set())

    similar_by_vector = nearest
    """The name that gensim has for `nearest`."""

    def doesnt_match(self, keys: Sequence[str]) -> str:
        """Return the key of `keys` whose vector is furthest from their mean vector, by cosine.

        Parameters
        ----------
        keys : sequence of str
            The keys to compare, at least one.

        Returns
        -------
        str
            The key that fits least.

        Raises
        ------
        UnknownKey
            When a key has no vector.
        PteError
            When no key is given, or one text in place of a list.
        """
        listed = [] if isinstance(keys, str) else list(keys)
        if not listed:
            raise PteError(f"keys is {keys!r}; give a list of keys")
        unit = self._unit[self._rows(listed)]
        return listed[int(np.argmin(unit @ unit.mean(axis=0)))]

    def evaluate_word_pairs(self, path: str | Path) -> PairScores:
        """Compare cosines with what people said of pairs of words, as in WordSim-353.

        Parameters
        ----------
        path : str or Path
            A file with two words and a number on each line, and tabs, commas or spaces between
            them. A line that begins with # does not count.

        Returns
        -------
        PairScores
            The correlations `pearson` and `spearman`, and the percentage `unknown` of pairs with a
            word that has no vector. A word counts in small letters if it has no vector as it is.

        Raises
        ------
        PteError
            When the file cannot be read, and when fewer than two of its pairs have vectors.
        """
        from scipy.stats import pearsonr, spearmanr  # imported here, as it takes half a second

        pairs = list(judged_pairs(Path(path)))
        found = [(self._find((one, other)), score) for one, other, score in pairs]
        known = [(rows, score) for rows, score in found if None not in rows]
        if len(known) < 2:
            raise PteError(f"{path}: {len(known)} of {len(pairs)} pairs have vectors; two must")
        one, other = np.array([rows for rows, _ in known], np.int64).T
        cosines = np.einsum("ij,ij->i", self._unit[one], self._unit[other])
        scores = [score for _, score in known]
        unknown = 100 * (1 - len(known) / len(pairs))
        pearson, spearman = (float(each(scores, cosines)[0]) for each in (pearsonr, spearmanr))
        return PairScores(pearson, spearman, unknown)

    def evaluate_word_analogies(self, path: str | Path) -> AnalogyScores:
        """Answer analogies such as "man king woman queen" by sums and differences of vectors.

        The answer is the key nearest to the second minus the first plus the third word, other than
        these three.

        Parameters
        ----------
        path : str or Path
            A file with four words on each line, such as `questions-words.txt` of word2vec. A line
            ": name" begins a section.

        Returns
        -------
        AnalogyScores
            The share `accuracy` of right answers, 0 to 1; `sections`, the numbers of right answers
            and of analogies by section; and the percentage `unknown` of analogies with a word that
            has no vector. A word counts in small letters if it has no vector as it is.

        Raises
        ------
        PteError
            When the file cannot be read, and when no analogy has vectors for its words.
        """
        asked = [(section, self._find(words)) for section, words in analogies(Path(path))]
        known = [(section, rows) for section, rows in asked if None not in rows]
        if not known:
            raise PteError(f"{path}: none of {len(asked)} analogies has vectors for its words")
        rows = np.array([each for _, each in known], np.int64)
        right = answers(self._unit, rows[:, :3]) == rows[:, 3]
        sections: dict[str, tuple[int, int]] = {}
        for (section, _), is_right in zip(known, right.tolist(), strict=True):
            before, of = sections.get(section, (0, 0))
            sections[section] = before + is_right, of + 1
        unknown = 100 * (1 - len(known) / len(asked))
        return AnalogyScores(float(right.mean()), sections, unknown)

    def to_word2vec(self, path: str | Path, *, binary: bool = False) -> None:
        """Write the vectors in the format of word2vec's C code, which gensim reads, too.

        In the text format, a number has nine digits, which give the same float32 when they are
        read.

        Parameters
        ----------
        path : str or Path
            The file to write. Its folder must be there.
        binary : bool, default=False
            Whether to write the binary format, which is smaller and is read faster.

        Raises
        ------
        PteError
            When a key is empty, holds white space, because a space ends a key in this format, or
            has more than 65,536 bytes; and when the folder of `path` is not there.
        """
        write_vectors(Path(path), self.raw_keys, self.vectors, binary)

    @classmethod
    def from_word2vec(cls, path: str | Path, *, binary: bool = False) -> "KeyedVectors":
        """Read a file of word2vec, gensim, fastText or GloVe.

        A file whose name ends in .gz, .bz2 or .xz is unpacked. Text has a word and its numbers on
        each line, with spaces or tabs between them. The first line, with the number and the length
        of the vectors, may be missing, as in files of GloVe. Words may hold spaces. A binary file
        may have a newline behind each vector, as the C code writes it.

        If a word is there twice, its first vector is kept, as in gensim, and a warning says so.

        Parameters
        ----------
        path : str or Path
            The file to read.
        binary : bool, default=False
            Whether the file has the binary format.

        Returns
        -------
        KeyedVectors
            The vectors, float32, in the order of the file.

        Raises
        ------
        PteError
            When there is no such file, and when it does not hold what its first line says; the
            message names the line or the vector.
        """
        return cls.of_bytes(*read_vectors(Path(path), binary))

    @cached_property
    def _unit(self) -> NDArray[np.float32]:
        """The vectors, scaled to length 1; a zero vector stays zero."""
        return _unit(self.vectors)

    def _row(self, key: Any) -> int:
        try:
            return self.index[key]
        except (KeyError, TypeError):  # a list is in no dictionary
            small = key.lower() if isinstance(key, str) else ""
            others = f"name one of the {len(self.index):,} keys"
            hint = f"there is {small!r}" if small in self.index else others
            raise UnknownKey(f"{key!r} has no vector; {hint}") from None

    def _rows(self, keys: str | Sequence[str]) -> list[int]:
        if isinstance(keys, np.ndarray) and keys.dtype.kind == "f":
            raise PteError("keys: these are numbers; `nearest` takes a vector")
        is_one = isinstance(keys, str) or not isinstance(keys, Iterable)
        return [self._row(key) for key in ([keys] if is_one else keys)]

    def _find(self, words: Sequence[str]) -> list[int | None]:
        """Return the rows of words, or of the words in small letters; None for others."""
        return [self.index.get(word, self.index.get(word.lower())) for word in words]

    def _best(
        self, wanted: NDArray[np.floating], topn: int, without: set[int]
    ) -> list[tuple[str, float]]:
        """Return keys and cosines, the largest cosine first, equal cosines in the order of keys."""
        return self._largest(_cosines(self._unit, _unit(wanted)), topn, without)

    def _largest(
        self, scores: NDArray[np.float32], topn: int, without: set[int]
    ) -> list[tuple[str, float]]:
        refuse_outside("topn", topn, 0, MOST)
        order = np.argsort(-scores, kind="stable")[: topn + len(without)].tolist()
        kept = [row for row in order if row not in without][:topn]
        return [(self.keys[row], float(scores[row])) for row in kept]


def _cosines(unit: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosines of vectors of length 1, or of one, with another such vector."""
    return np.asarray(np.clip(unit @ other, -1, 1))  # rounding leads a little out of these bounds


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return vectors, or one vector, scaled to length 1; a zero vector stays zero."""
    squares = np.einsum("...i,...i->...", vectors, vectors, dtype=np.float64)  # none overflows
    lengths = np.sqrt(np.where(squares > 0, squares, 1))[..., np.newaxis]
    unit = np.empty(vectors.shape, np.float32)
    np.divide(vectors, lengths, out=unit, dtype=np.float64, casting="same_kind")
    return unit
