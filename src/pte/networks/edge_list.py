"""Files of edges `source<TAB>word<TAB>weight`; with the network's type for the authors' C++."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pte.corpora.archives import without_mark
from pte.corpora.compressed import binary_to_write
from pte.corpora.encoded import EncodedCorpus
from pte.errors import PteError
from pte.files import atomic_file
from pte.networks.bipartite import Network
from pte.networks.contract import MEMORY, NetworkSpec

if TYPE_CHECKING:
    from pte.networks.sampling import EdgeSampler


@dataclass(frozen=True)
class EdgeList:
    """The network of a file: words are bytes, edges add up, and unknown words are left out."""

    path: Path

    @property
    def SPEC(self) -> NetworkSpec:
        """The spec of edges that come from the file and not from the text."""
        return NetworkSpec(labels=False, window=False, streamed=False)

    def build(
        self, corpus: EncodedCorpus, window: int, memory: int = MEMORY, threads: int = 1
    ) -> Network:
        """Read the edges whose words are in the vocabulary."""
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
    try:
        file = path.open("rb")
    except OSError as error:
        raise PteError(f"{path}: {error.strerror}; config.yaml: networks names it") from None
    with file:
        for number, line in enumerate(without_mark(file), start=1):
            fields = line.rstrip(b"\r\n").split(b"\t")
            if len(fields) != 3 or not all(fields):
                raise PteError(
                    f"{path}, line {number}: {line[:80]!r} has not the form "
                    "source<TAB>word<TAB>weight"
                )
            try:
                weight = float(fields[2])
            except ValueError:
                weight = np.nan
            if not (0 < weight < 3e38 and np.float32(weight) > 0):
                said = fields[2].decode(errors="replace")
                what = f"the weight is {said}; it must be a positive finite number"
                raise PteError(f"{path}, line {number}: {what}")
            yield fields[0], fields[1], weight


LONGEST_NAME = 499  # bytes; the released C++ has room for 500, with a zero at the end


def write_edges(
    path: Path,
    networks: Mapping[str, Network],
    source_names: Mapping[str, Sequence[bytes]],
    words: Sequence[bytes],
) -> None:
    """Write networks to one file for the C++, by one-letter types, with names of 1 to 499 bytes."""
    for kind, network in networks.items():
        if len(kind.encode()) != 1:
            raise PteError(f"{path}: the type of a network is one character, not {kind!r}")
        _check_names(path, source_names.get(kind, ()), network.n_sources)
        _check_names(path, words, network.n_targets)
    with atomic_file(path) as temporary, binary_to_write(temporary) as file:
        for kind, network in networks.items():
            names, edges = source_names[kind], network.directed()
            for u, v, weight in zip(edges.source, edges.target, edges.weight, strict=True):
                file.write(b"%s\t%s\t%.9g\t%s\n" % (names[u], words[v], weight, kind.encode()))


def _check_names(path: Path, names: Sequence[bytes], n: int) -> None:
    if len(names) != n or len(set(names)) != n:
        raise PteError(f"{path}: {n} different names are needed, {len(set(names))} given")
    if bad := [e for e in names if e.split() != [e] or len(e) > LONGEST_NAME]:
        what = f"is empty, holds white space, or has more than {LONGEST_NAME} bytes"
        raise PteError(f"{path}: the name {bad[0][:40]!r} {what}")
