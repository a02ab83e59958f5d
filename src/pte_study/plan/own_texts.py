"""What a plan knows of the content of a text of the user's own.

Reading a text may take minutes, and each job plans anew. So this is kept in a file for as long as
the text stays the same: by the sizes and times of its files or, where these have changed, by their
content.
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from pte.classify.entrants import TextFacts
from pte.command.contests import Contested
from pte.command.flags import Training
from pte.errors import PteError
from pte.files import read_json, sha256_of, write_json
from pte_study.configuration.own import Own

KEPT = ".snakemake/own/{own}.json"


class KnownText(NamedTuple):
    """A hash of all files of a text, and what decides which methods take part."""

    content: str
    facts: TextFacts


def known_text(name: str, own: Own, training: Training, code: str) -> KnownText:
    """Return what is known of a text; read it if it, or the `code` that reads it, has changed.

    Raises `PteError` for a text that nothing can be learnt from.
    """
    path, files = Path(KEPT.format(own=name)), own.files
    stats = ((file, each.stat()) for file, each in files.items())
    seen = _hash((file, stat.st_size, stat.st_mtime_ns) for file, stat in stats)
    asked = _hash([own.text, own.folds, training, code])
    last = _last(path)
    if last.get("seen") == seen:
        content = str(last["content"])
    else:
        content = _hash((file, sha256_of(each)) for file, each in files.items())
    if (last.get("content"), last.get("asked")) == (content, asked):
        facts = TextFacts(**last["facts"])
    else:
        facts = _facts(own, training)
    file = str(own.path.absolute())
    found = {"seen": seen, "asked": asked, "content": content, "facts": facts._asdict()}
    found["file"] = file
    if found != last:
        with suppress(OSError):
            write_json(path, found)
    return KnownText(content, facts)


def last_file(name: str) -> str | None:
    """Return the file that was last planned by a name; None if there is none."""
    found = _last(Path(KEPT.format(own=name)))
    return str(found["file"]) if found else None


def _facts(own: Own, training: Training) -> TextFacts:
    """Read a text as each of its jobs does; the page shows what is suspicious."""
    with redirect_stderr(StringIO()):
        return Contested.read(own.text.file, own.values, training, own.folds).text()


def _last(path: Path) -> dict[str, Any]:
    """Return what is kept; nothing if there is nothing that can be read."""
    try:
        found: dict[str, Any] = read_json(path, "seen", "asked", "content", "facts", "file")
    except PteError:
        return {}
    return found if found["facts"].keys() == set(TextFacts._fields) else {}


def _hash(values: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value, default=repr).encode() + b"\0")
    return digest.hexdigest()[:16]
