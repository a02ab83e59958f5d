"""Tweets with their sentiment, in the two forms that were published.

Sentiment140 has quoted fields in Latin-1:

    "0","1467810369","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","user","@friend it is, and isn't"

The collection of thinknook.com, which the paper cites, has a head line and text that may be quoted
or not, with commas in it:

    ItemID,Sentiment,SentimentSource,SentimentText
    1,0,Sentiment140,                     is so sad, for my friend
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pte.corpora.archives import stream_lines
from pte.corpora.document import TRAIN, Document, require, unescaped
from pte.errors import PteError


class _Form(NamedTuple):
    """How a line is read: its fields, its encoding, the labels of sentiments, and the head line."""

    line: re.Pattern[str]
    encoding: str
    sentiments: dict[str, str]
    head: str | None


_QUOTED = '"[^"]*"'
_FORMS = {
    "sentiment140": _Form(
        re.compile(
            rf'"(?P<sentiment>\d)","(?P<id>\d+)",{_QUOTED},{_QUOTED},{_QUOTED},"(?P<text>.*)"'
        ),
        "latin-1",
        {"0": "negative", "4": "positive"},
        None,
    ),
    "thinknook": _Form(
        re.compile(r"(?P<id>\d+),(?P<sentiment>\d),[^,]*,(?P<text>.*)"),
        "utf-8",
        {"0": "negative", "1": "positive"},
        "ItemID,Sentiment,SentimentSource,SentimentText",
    ),
}


def tweets(
    path: Path,
    form: str,
    member: str,
    documents: int | None = None,
    seed: int = 1,
    counts: Counter[str] | None = None,
) -> Iterator[Document]:
    """Read the tweets of `member` of a zip archive, or draw `documents` of them at random.

    Memory holds only the tweets that are drawn, and the ids.
    """
    counts = Counter() if counts is None else counts
    if form not in _FORMS:
        raise PteError(f"reader tweets: form {form!r} is not one of {', '.join(_FORMS)}")
    found: Iterable[Document] = _tweets(stream_lines(path, member), _FORMS[form], counts)
    if documents is not None:
        found = _sampled(found, documents, seed, path)
    ids: set[str | None] = set()
    for tweet in found:
        counts["tweets with the id of another"] += tweet.id in ids
        ids.add(tweet.id)
        yield tweet
    require(ids, path, f"a tweet in {member} as form {form} has it")


def _tweets(lines: Iterable[bytes], form: _Form, counts: Counter[str]) -> Iterator[Document]:
    for number, line in enumerate(lines):
        text = line.decode(form.encoding, "surrogateescape").removeprefix("\ufeff").strip("\r\n")
        if number == 0 and text == form.head:
            continue
        fields = form.line.fullmatch(text)
        if fields is None:
            counts["broken lines"] += bool(text.strip())
            continue
        label = form.sentiments.get(fields["sentiment"])
        said = unescaped(_without_quotes(fields["text"], form))
        if label is None or not said:
            counts["lines without a text or with another sentiment"] += 1
            continue
        yield Document(said.encode("utf-8", "surrogateescape"), label, TRAIN, id=fields["id"])


def _without_quotes(text: str, form: _Form) -> str:
    """Remove the quotes around a field, if there are any, and the doubling of quotes in it."""
    if form.head is None:
        return text.replace('""', '"')
    quoted = re.fullmatch(r'"((?:[^"]|"")*)"', text.strip())
    return quoted[1].replace('""', '"') if quoted else text


def _sampled(tweets: Iterable[Document], size: int, seed: int, path: Path) -> list[Document]:
    """Draw `size` tweets; all sets of this size are equally likely (Vitter's algorithm R, 1985)."""
    random = np.random.default_rng(seed)
    kept: list[tuple[int, Document]] = []
    for number, tweet in enumerate(tweets):
        if number < size:
            kept.append((number, tweet))
        elif (place := int(random.integers(number + 1))) < size:
            kept[place] = number, tweet
    if len(kept) < size:
        raise PteError(f"{path}: documents is {size}, but there are {len(kept)}")
    return [tweet for _, tweet in sorted(kept, key=lambda item: item[0])]
