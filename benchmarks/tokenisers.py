"""Which tokeniser comes nearest to |V| and the document length of the paper's Table 1?

For IMDB and for Twitter, whose tokenisers are not published: a JSON line for each tokeniser, with
|V| and the mean length as Table 1 counts them (one more for the end of a line). The length is over
both parts, so it does not depend on how the reviews were shuffled. |V| is of the training part of
the first shuffle, and in `official` of the official one. Of Twitter the mirror has 100,000 tweets:
`grown` is what |V| of 800,000 would be if it went on growing as from the first half to the whole.

    python -m benchmarks.tokenisers FOLDER_OF_ARCHIVES [imdb] [twitter_100k]
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.common import archives_of, journal
from pte.corpora.document import TRAIN, Document
from pte.corpora.encode_entry import read_entry, split_anew

TWEETS_OF_THE_PAPER = 800_000
PAPER = {"imdb": (71_381, 231.65), "twitter_100k": (405_994, 14.36)}

Cut = Callable[[bytes], list[bytes]]
BREAK = re.compile(rb"<br />")


def pattern(tokens: bytes, breaks: bytes = b" ", lower: bool = True) -> Cut:
    """What matches `tokens` in a text whose line breaks are replaced."""
    find = re.compile(tokens).findall

    def cut(text: bytes) -> list[bytes]:
        text = BREAK.sub(breaks, text)
        return find(text.lower() if lower else text)

    return cut


# Clitics are tokens, as in the Penn Treebank: do n't, film 's. Other marks are, too.
_TREEBANK = (
    rb"[a-z0-9]+(?=n't\b)|n't\b|'(?:s|m|d|ll|re|ve)\b"
    rb"|[a-z0-9]+(?:[-.][a-z0-9]+)*|\.\.\.|[^\sa-z0-9]"
)
_MARKS = rb"[a-z0-9]+|[^\sa-z0-9]"
CUTS: dict[str, Cut] = {
    "letters": pattern(rb"[a-z]+"),
    "letters, line breaks glue words": pattern(rb"[a-z]+", b""),
    "letters, line breaks are words": pattern(rb"[a-z]+", b"<br />"),
    "letters, case kept": pattern(rb"[A-Za-z]+", lower=False),
    "letters and digits": pattern(rb"[a-z0-9]+"),
    "letters, digits and _": pattern(rb"\w+"),
    "letters and '": pattern(rb"[a-z']+"),
    "letters, ' within words": pattern(rb"[a-z]+(?:'[a-z]+)*"),
    "letters, ' dropped": lambda text: pattern(rb"[a-z]+")(text.replace(b"'", b"")),
    "letters, digits and '": pattern(rb"[a-z0-9']+"),
    "letters and digits, ' within words": pattern(rb"[a-z0-9]+(?:'[a-z0-9]+)*"),
    "letters, ' and - within words": pattern(rb"[a-z]+(?:['-][a-z]+)*"),
    "two letters or more": pattern(rb"[a-z]{2,}"),
    "clitics apart, marks are words": pattern(_TREEBANK),
    "clitics apart, marks dropped": pattern(rb"[a-z]+(?=n't\b)|n't\b|'(?:s|m|d|ll|re|ve)\b|[a-z]+"),
    "letters and digits, marks are words": pattern(_MARKS),
    "white space": pattern(rb"\S+"),
    "white space, case kept": pattern(rb"\S+", lower=False),
}


def words_of(token_lists: Sequence[list[bytes]]) -> Counter[bytes]:
    """How often each word occurs."""
    counts: Counter[bytes] = Counter()
    for tokens in token_lists:
        counts.update(tokens)
    return counts


def measured(documents: Sequence[Document], cut: Cut) -> dict[str, float]:
    """|V|, with a minimum count and of both parts, too; the mean length; |V| of more documents."""
    lists = [cut(document.text) for document in documents]
    train = [one for one, d in zip(lists, documents, strict=True) if d.part == TRAIN]
    half, words = words_of(train[: len(train) // 2]), words_of(train)
    growth = math.log2(len(words) / len(half))
    doublings = math.log2(TWEETS_OF_THE_PAPER / len(train))
    return {
        "length": sum(map(len, lists)) / len(lists) + 1,
        "V": len(words) + 1,
        "V_twice": sum(n >= 2 for n in words.values()) + 1,
        "V_both_parts": len(words_of(lists)) + 1,
        "grown": len(words) * 2 ** (growth * doublings),
    }


def main() -> None:
    """Run the benchmark."""
    folder, *named = sys.argv[1:]
    note = journal("tokenisers")
    for corpus in named or PAPER:
        entry, paths = archives_of(corpus, Path(folder))
        distributed = read_entry(paths, entry)
        assert entry.split is not None
        shuffled = split_anew(distributed, entry.split)
        v, length = PAPER[corpus]
        note(corpus=corpus, tokeniser="of the paper", V=v, length=length)
        for name, cut in CUTS.items():
            found = measured(shuffled, cut)
            if corpus == "imdb":
                del found["grown"]
                train = [cut(d.text) for d in distributed if d.part == TRAIN]
                found["official"] = len(words_of(train)) + 1
            note(corpus=corpus, tokeniser=name, **found)


if __name__ == "__main__":
    main()
