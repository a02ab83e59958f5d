"""Vectors of words, labels or documents by their keys, and the file format of word2vec."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pte.corpora.compressed import binary_to_write
from pte.errors import NotInstalled, PteError
from pte.files import output_file
from pte.limits import MOST, refuse_outside

LONGEST_KEY = 1 << 16  # the most bytes of a word in a file of word2vec


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

    Take it to look up vectors, to find similar words, and to write them for word2vec and gensim.
    The estimators return it as `word_vectors_` and `label_vectors_`; or make it from keys
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
    raw_keys : tuple of bytes
        The exact bytes of each key.
    raw_index : dict of bytes to int
        The row of each key, by its exact bytes.
    dim : int
        The length of a vector.

    Raises
    ------
    PteError
        When a key is not text, when a key is there twice, when there are more or fewer keys than
        vectors, and when a number is not finite in float32.
    UnknownKey
        When you ask for the vector of a key that is not there. It is a `KeyError`, too.

    See Also
    --------
    pte.PTE : Learns vectors of words and of labels.

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
        with np.errstate(over="ignore"):
            finite = np.isfinite(self.vectors.astype(np.float32, copy=False)).all(axis=1)
        if not finite.all():
            key = self.keys[int(finite.argmin())]
            raise PteError(f"vectors: that of {key!r} has a number that float32 cannot hold")
        if len(self.index) != len(self.keys):
            raise PteError("keys: some key is there twice; each must have one vector")

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
    def dim(self) -> int:
        """The length of a vector."""
        return int(self.vectors.shape[1])

    def __repr__(self) -> str:
        """Return a text with the number of keys, the first keys, and the length of a vector."""
        shown = ", ".join(map(repr, self.keys[:3])) + ", …" * (len(self) > 3)
        return f"KeyedVectors of {len(self):,} keys ({shown}), dim {self.dim}"

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys)

    def __contains__(self, key: object) -> bool:
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

    def most_similar(
        self, positive: str | Sequence[str], negative: str | Sequence[str] = (), topn: int = 10
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

    def to_gensim(self) -> Any:
        """Return gensim's `KeyedVectors` of the same keys and vectors.

        It has analogies, tests of words, `doesnt_match`, and what else gensim does with vectors.

        Returns
        -------
        gensim.models.KeyedVectors
            A copy; a byte that is no UTF-8 stays as Python's `surrogateescape` writes it.

        Raises
        ------
        PteError
            When gensim is not installed.
        """
        try:
            from gensim.models import KeyedVectors as OfGensim
        except ImportError:
            raise NotInstalled("gensim") from None
        made = OfGensim(self.dim, len(self))
        made.add_vectors(list(self.keys), self.vectors)
        return made

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
        for word in self.raw_keys:
            if word.split() != [word] or len(word) > LONGEST_KEY:
                raise PteError(
                    f"{path}: the key {word[:20]!r} is empty, holds white space, or has more than "
                    f"{LONGEST_KEY:,} bytes, which this format cannot have; write it otherwise"
                )
        path = Path(path)
        with output_file(path) as temporary, binary_to_write(temporary) as file:
            file.write(b"%d %d\n" % self.vectors.shape)
            for word, row in zip(self.raw_keys, self.vectors, strict=True):
                text = " ".join(f"{number:.9g}" for number in row).encode()
                numbers = row.astype("<f4").tobytes() if binary else text
                file.write(word + b" " + numbers + b"\n")

    @cached_property
    def _unit(self) -> NDArray[np.float32]:
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

    def _best(
        self, wanted: NDArray[np.floating], topn: int, without: set[int]
    ) -> list[tuple[str, float]]:
        """Return keys and cosines, the largest cosine first, equal cosines in the order of keys."""
        refuse_outside("topn", topn, 0, MOST)
        scores = _cosines(self._unit, _unit(wanted))
        order = np.argsort(-scores, kind="stable")[: topn + len(without)].tolist()
        kept = [row for row in order if row not in without][:topn]
        return [(self.keys[row], float(scores[row])) for row in kept]

    if not TYPE_CHECKING:  # a type checker finds misspelt names

        def __getattr__(self, name: str) -> Any:
            """Say of a method of gensim, or any other name, where it is."""
            what = "`to_gensim()` returns gensim's vectors, which have more methods"
            raise AttributeError(f"KeyedVectors has no {name!r}; {what}")


def of_bytes(keys: Iterable[bytes], vectors: NDArray[np.float32]) -> KeyedVectors:
    """Return the vectors of keys that are byte strings, in UTF-8 or not, as tokens are."""
    return KeyedVectors(tuple(key.decode("utf-8", "surrogateescape") for key in keys), vectors)


def _cosines(unit: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(unit @ other, -1, 1))  # rounding leads a little out of these bounds


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return one or more vectors scaled to length 1; a zero vector stays zero."""
    squares = np.einsum("...i,...i->...", vectors, vectors, dtype=np.float64)  # none overflows
    lengths = np.sqrt(np.where(squares > 0, squares, 1))[..., np.newaxis]
    unit = np.empty(vectors.shape, np.float32)
    np.divide(vectors, lengths, out=unit, dtype=np.float64, casting="same_kind")
    return unit
