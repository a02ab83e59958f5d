"""A user's own network: a file with an edge on each line, `source<TAB>word<TAB>weight`."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.archives import bounded_lines, without_mark
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.networks.bipartite import Network
from pte.networks.contract import MEMORY, NetworkSpec

if TYPE_CHECKING:
    from pte.networks.sampling import EdgeSampler


@dataclass(frozen=True)
class EdgeList:
    """The network of the file at `path`; it has the names that `NetworkModule` asks for.

    Words are bytes, as in the vocabulary. A source is any text; equal texts are one source.
    Weights of repeated edges add up. Edges to words outside the vocabulary are left out, and a
    warning counts them.
    """

    path: Path

    @property
    def SPEC(self) -> NetworkSpec:
        """The spec of edges that come from the file and not from the text."""
        return NetworkSpec(labels=False, window=False, streamed=False)

    def build(
        self, corpus: EncodedCorpus, window: int, memory: int = MEMORY, threads: int = 1
    ) -> Network:
        """Read the edges whose words are in the vocabulary.

        Raises `PteError` for a missing file, for a line without three fields, for a weight that is
        not a positive finite float32, when no edge has a word of the vocabulary, and as
        `bounded_lines` and `Network.from_edges` do. The error names the file, and the line if there
        is one.
        """
        numbers = {word: i for i, word in enumerate(corpus.words)}
        sources: dict[bytes, int] = {}
        edges: list[tuple[int, int, float]] = []
        unknown: dict[bytes, int] = {}
        for source, word, weight in _lines(self.path):
            if word in numbers:
                edges.append((sources.setdefault(source, len(sources)), numbers[word], weight))
            else:
                unknown[word] = unknown.get(word, 0) + 1
        if not edges:
            raise PteError(f"{self.path}: none of its edges has a word of the vocabulary")
        if unknown:
            left_out, first = sum(unknown.values()), next(iter(unknown)).decode(errors="replace")
            warnings.warn(
                f"{self.path}: {left_out} of {left_out + len(edges)} edges are left out, because "
                f"the vocabulary lacks {len(unknown)} of their words; the first is {first!r}",
                stacklevel=2,
            )
        source_of, word_of, weights = zip(*edges, strict=True)
        try:
            return Network.from_edges(source_of, word_of, weights, len(sources), corpus.n_words)
        except PteError as error:
            raise PteError(f"{self.path}: {error}") from None

    def stream(self, corpus: EncodedCorpus, window: int) -> "EdgeSampler":
        """Return a sampler of the stored edges that `build` reads."""
        from pte.networks.sampling import StoredEdges

        return StoredEdges(self.build(corpus, window))

    def tokens(self, corpus: EncodedCorpus) -> int | None:
        """Return None, because no token of the corpus is behind an edge."""
        return None


def _lines(path: Path) -> Iterator[tuple[bytes, bytes, float]]:
    """Yield the source, word and weight of each line."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise PteError(f"{path}: {error.strerror}; config.yaml: networks names it") from None
    with file:
        for number, line in enumerate(without_mark(bounded_lines(path, file)), start=1):
            fields = line.rstrip(b"\r\n").split(b"\t")
            if len(fields) != 3 or not all(fields):
                raise PteError(
                    f"{path}, line {number}: {line[:80]!r} has not the form "
                    "source<TAB>word<TAB>weight"
                )
            yield fields[0], fields[1], _weight(path, number, fields[2])


def _weight(path: Path, number: int, field: bytes) -> float:
    try:
        weight = float(field)
        kept = float(np.float32(weight)) if abs(weight) < 3e38 else np.inf
    except ValueError:
        kept = np.nan
    if not 0 < kept < np.inf:
        raise PteError(
            f"{path}, line {number}: the weight is {field.decode(errors='replace')}; "
            "it must be a positive finite number"
        )
    return weight
