"""The text format of the authors' released C++: `u<TAB>v<TAB>weight<TAB>type`, one edge a line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pte.errors import PteError
from pte.files import atomic_file
from pte.networks.bipartite import Network


def write_edges(
    path: Path,
    networks: Mapping[str, Network],
    source_names: Mapping[str, Sequence[bytes]],
    words: Sequence[bytes],
) -> None:
    """Write networks, keyed by their one-letter type (w, d, l), to one file.

    `source_names[type]` names the sources of that network. An undirected network is written in both
    directions, because the C++ reads directed edges. The C++ reads every name with `%s`, so an
    empty name or a name with white space raises `PteError`. A wrong number of names, a repeated
    name and a type that is longer than one byte raise `PteError`, too.
    """
    for kind, network in networks.items():
        if len(kind.encode()) != 1:
            raise PteError(f"{path}: the type of a network is one character, not {kind!r}")
        _check_names(path, f"sources of {kind}", source_names.get(kind, ()), network.n_sources)
        _check_names(path, "words", words, network.n_targets)
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        for kind, network in networks.items():
            names, edges = source_names[kind], network.directed()
            for u, v, weight in zip(edges.source, edges.target, edges.weight, strict=True):
                file.write(b"%s\t%s\t%.9g\t%s\n" % (names[u], words[v], weight, kind.encode()))


def read_edges(
    path: Path, source_names: Mapping[str, Sequence[bytes]], words: Sequence[bytes]
) -> dict[str, Network]:
    """Read a file that `write_edges` or the C++ wrote, and return the networks by type.

    Edges with a name that is not in `source_names[type]` or in `words` are left out, as in the C++.
    A type without edges has no network. `PteError` is raised, with the number of the line, for a
    line that does not have the four fields, an unknown type, or a weight that is not positive and
    finite.
    """
    word_ids = {word: i for i, word in enumerate(words)}
    source_ids = {
        kind: {name: i for i, name in enumerate(names)} for kind, names in source_names.items()
    }
    edges: dict[str, list[tuple[int, int, float]]] = {kind: [] for kind in source_names}
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                u, v, weight, kind = line.split()
                edge = (source_ids[kind.decode()].get(u), word_ids.get(v), float(weight))
                if not 0 < edge[2] <= np.finfo(np.float32).max:
                    raise ValueError
            except (ValueError, KeyError):
                raise PteError(
                    f"{path}, line {number}: expected source, word, positive weight and a type "
                    f"out of {sorted(source_names)}, found {line!r}"
                ) from None
            if edge[0] is not None and edge[1] is not None:
                edges[kind.decode()].append((edge[0], edge[1], edge[2]))
    found = {kind: np.array(rows) for kind, rows in edges.items() if rows}
    return {
        kind: Network.from_edges(
            rows[:, 0], rows[:, 1], rows[:, 2], len(source_names[kind]), len(words)
        )
        for kind, rows in found.items()
    }


def _check_names(path: Path, what: str, names: Sequence[bytes], n: int) -> None:
    if len(names) != n or len(set(names)) != n:
        raise PteError(f"{path}: {what}: {n} different names are needed, {len(set(names))} given")
    for name in names:
        if name.split() != [name]:
            raise PteError(f"{path}: {what}: the name {name!r} is empty or holds white space")
