"""The text format of the authors' released C++: `u<TAB>v<TAB>weight<TAB>type`, one edge a line."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pte.corpora.compressed import binary_to_write
from pte.errors import PteError
from pte.files import atomic_file
from pte.networks.bipartite import Network

LONGEST_NAME = 499
"""The most bytes of a name: the released C++ has room for 500, with a zero byte at the end."""


def write_edges(
    path: Path,
    networks: Mapping[str, Network],
    source_names: Mapping[str, Sequence[bytes]],
    words: Sequence[bytes],
) -> None:
    """Write networks, keyed by their one-letter type (w, d, l), to one file.

    The file is compressed if its name ends in .gz, .bz2 or .xz.

    `source_names[type]` names the sources of that network. An undirected network is written in both
    directions, because the C++ reads directed edges. The C++ reads every name with `%s`, so an
    empty name or a name with white space raises `PteError`. A name of more than `LONGEST_NAME`
    bytes, a wrong number of names, a repeated name and a type that is longer than one byte raise
    `PteError`, too.
    """
    for kind, network in networks.items():
        if len(kind.encode()) != 1:
            raise PteError(f"{path}: the type of a network is one character, not {kind!r}")
        _check_names(path, f"sources of {kind}", source_names.get(kind, ()), network.n_sources)
        _check_names(path, "words", words, network.n_targets)
    with atomic_file(path) as temporary, binary_to_write(temporary) as file:
        for kind, network in networks.items():
            names, edges = source_names[kind], network.directed()
            for u, v, weight in zip(edges.source, edges.target, edges.weight, strict=True):
                file.write(b"%s\t%s\t%.9g\t%s\n" % (names[u], words[v], weight, kind.encode()))


def _check_names(path: Path, what: str, names: Sequence[bytes], n: int) -> None:
    if len(names) != n or len(set(names)) != n:
        raise PteError(f"{path}: {what}: {n} different names are needed, {len(set(names))} given")
    for name in names:
        if name.split() != [name]:
            raise PteError(f"{path}: {what}: the name {name!r} is empty or holds white space")
        if len(name) > LONGEST_NAME:
            raise PteError(
                f"{path}: {what}: the name {name[:40]!r}… has {len(name):,} bytes; the authors' "
                f"program has room for {LONGEST_NAME}"
            )


def without_spaces(names: Sequence[bytes]) -> list[bytes]:
    """Return names with an underscore for each white space, and one more where two would agree."""
    kept: dict[bytes, None] = dict.fromkeys(name for name in names if name.split() == [name])
    found = []
    for name in names:
        if name.split() != [name]:
            name = re.sub(rb"\s", b"_", name)
            while name in kept:
                name += b"_"
            kept[name] = None
        found.append(name)
    return found
