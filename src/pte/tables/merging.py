"""Labels that a user says are the same: typing errors, and spellings that differ by case."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from pte.errors import PteError
from pte.tables.columns import Labels, meant


def merges_of(
    file: str, labels: Sequence[Labels], same: Sequence[str], ignore_case: bool
) -> dict[str, str]:
    """Return what labels become by `same` ("sprot=sport") and `ignore_case`, in any order."""
    if not (same or ignore_case):
        return {}
    counts = Counter(name for each in labels for name in each)
    found = {name: name for name in counts}
    for pair in [same] if isinstance(same, str) else same:
        old, new = _divided(file, pair, found)
        now_new = found.get(new, new)
        if now_new != old:  # else the two stand for each other, and the last pair decides
            new = now_new
        found = {name: new if now == old else now for name, now in found.items()}
    if ignore_case:
        found = _without_case(found, counts)
    return {name: now for name, now in found.items() if name != now}


def merged(labels: Sequence[Labels], merges: Mapping[str, str]) -> list[Labels]:
    """Return the labels of documents with others in place of those that are keys of `merges`."""
    new = {
        each: tuple(dict.fromkeys(merges.get(name, name) for name in each)) for each in {*labels}
    }
    return [new[each] for each in labels]


def _divided(file: str, pair: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Divide a text like "sprot=sport" behind a label; labels may hold a "=" themselves."""
    places = [i for i, letter in enumerate(pair) if letter == "="]
    parts = [(pair[:i].strip(), pair[i + 1 :].strip()) for i in places]
    if found := next(((old, new) for old, new in parts if old in known and new), None):
        return found
    if not parts or not parts[0][1]:
        what = "write two labels with = between them, such as sprot=sport"
        raise PteError(f"{file}: --same {pair}: {what}")
    hint = meant(parts[0][0], known) or "leave it out"
    raise PteError(f"{file}: --same {pair}: no label {parts[0][0]!r}; {hint.strip()}")


def _without_case(found: Mapping[str, str], counts: Counter[str]) -> dict[str, str]:
    """Let the most frequent spelling stand for all spellings that differ by case."""
    sizes: dict[str, Counter[str]] = defaultdict(Counter)
    for name, now in found.items():
        sizes[now.casefold()][now] += counts[name]
    best = {key: max(sorted(each), key=each.__getitem__) for key, each in sizes.items()}
    return {name: best[now.casefold()] for name, now in found.items()}
