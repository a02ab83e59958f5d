"""Labels that a user says are the same: typing errors, and spellings that differ by case."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pte.corpora.columns import meant
from pte.corpora.document import Document
from pte.errors import PteError


def merges_of(
    file: object, documents: Sequence[Document], same: Sequence[str], ignore_case: bool
) -> dict[str, str]:
    """Return the labels that others stand for, by the labels that they replace.

    Each of `same` is like "sprot=sport": the first label is the second. With `ignore_case`, labels
    that differ only by case become the most frequent of them. A label that becomes another takes
    along those that become it, whatever the order of `same`. Raises `PteError`, naming the file,
    for a text without a label of the documents before a "=".
    """
    counts = Counter(name for document in documents for name in document.labels)
    found = {name: name for name in counts}
    for pair in same:
        old, new = _divided(file, pair, found)
        now_new = found.get(new, new)
        if now_new != old:  # else the two stand for each other, and the last pair decides
            new = now_new
        found = {name: new if now == old else now for name, now in found.items()}
    if ignore_case:
        found = _without_case(found, counts)
    return {name: now for name, now in found.items() if name != now}


def merged(documents: Sequence[Document], merges: Mapping[str, str]) -> tuple[Document, ...]:
    """Return documents with other labels in place of those that are keys of `merges`."""
    if not merges:
        return tuple(documents)
    found = []
    for each in documents:
        names = list(dict.fromkeys(merges.get(name, name) for name in each.labels))
        new = replace(each, label=names[0], more_labels=tuple(names[1:])) if names else each
        found.append(new)
    return tuple(found)


def _divided(file: object, pair: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Divide a text like "sprot=sport" behind a label; labels may hold a "=" themselves."""
    places = [i for i, letter in enumerate(pair) if letter == "="]
    parts = [(pair[:i].strip(), pair[i + 1 :].strip()) for i in places]
    if found := next(((old, new) for old, new in parts if old in known and new), None):
        return found
    if not parts or not parts[0][1]:
        what = "write two labels with = between them, such as sprot=sport"
        raise PteError(f"{file}: same={pair}: {what}")
    hint = meant(parts[0][0], known) or "leave it out"
    raise PteError(f"{file}: same={pair}: no label {parts[0][0]!r}; {hint.strip()}")


def _without_case(found: Mapping[str, str], counts: Counter[str]) -> dict[str, str]:
    """Let the most frequent spelling stand for all spellings that differ by case."""
    sizes: dict[str, Counter[str]] = defaultdict(Counter)
    for name, now in found.items():
        sizes[now.casefold()][now] += counts[name]
    best = {key: max(sorted(each), key=each.__getitem__) for key, each in sizes.items()}
    return {name: best[now.casefold()] for name, now in found.items()}
