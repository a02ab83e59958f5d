"""The paper's corpora in their official formats, from the plan to a table and a verdict."""

import bz2
import gzip
import zipfile

import numpy as np
import pytest
from lyrl2004 import NAMES, write_hierarchy, write_tokens, write_topics

from pte.corpora.readers.rcv1 import LAST_TRAINING

OFFICIAL = {"Wiki": "wiki_2010", "RCV1": "rcv1_economics", "Twitter": "twitter"}
CLASSES = {"Arts": "E11", "Sports": "E12"}


def documents(many):
    """Words that tell two classes apart, and their class, 0 or 1."""
    rng = np.random.default_rng(5)
    for i in range(many):
        own = [f"{'xy'[i % 2]}{'abcdefgh'[k]}" for k in rng.integers(0, 8, 6)]
        yield own + [f"any{'abcdefgh'[k]}" for k in rng.integers(0, 8, 4)], i % 2


def write_files(mirror):
    """120 documents in the files of RCV1, of Westbury's Wikipedia and of Thinknook's tweets."""
    made = list(documents(120))
    for part in range(4):
        first = LAST_TRAINING + 1
        some = [(first + i, words) for i, (words, _) in enumerate(made) if i // 30 == part]
        write_tokens(mirror / NAMES[f"part{part}"], some)
    topics = [["ECAT", [*CLASSES.values()][label]] for _, label in made]
    write_topics(mirror / NAMES["topics"], enumerate(topics, start=first))
    below = {branch: [f"{branch[0]}{i}" for i in (11, 12)] for branch in ("CCAT", "GCAT", "MCAT")}
    below["ECAT"] = [*CLASSES.values()]
    write_hierarchy(mirror / NAMES["hierarchy"], {"Root": list(below)} | below)
    articles = "".join(
        f"Title {i}.\n\n{' '.join(words)}\n---END.OF.DOCUMENT---\n"
        for i, (words, _) in enumerate(made)
    )
    wiki = "WestburyLab.wikicorp.201004"
    (mirror / f"{wiki}.txt.bz2").write_bytes(bz2.compress(articles.encode()))
    vocabulary = "".join(f"{word}\t9\n" for word in sorted({w for words, _ in made for w in words}))
    (mirror / f"{wiki}.words.txt.gz").write_bytes(gzip.compress(vocabulary.encode()))
    rows = [f"Title {i}\t{[*CLASSES][label]}\n" for i, (_, label) in enumerate(made)]
    labels = "title\tclass\n" + "".join(rows)
    (mirror / "dbpedia_classes_en.tsv.gz").write_bytes(gzip.compress(labels.encode()))
    tweets = "".join(f"{i},{label},Kaggle,{' '.join(w)}\r\n" for i, (w, label) in enumerate(made))
    head = "ItemID,Sentiment,SentimentSource,SentimentText\r\n"
    with zipfile.ZipFile(mirror / "Sentiment-Analysis-Dataset.zip", "w") as archive:
        archive.writestr("Sentiment Analysis Dataset.csv", head + tweets)


def configure(checkout):
    """The three corpora at the size of the files, two rows, and one sentence about all three."""

    def resize(registry):
        for name in ("wiki_2010", "twitter"):
            registry["corpora"][name]["split"] = {"rule": "shuffled", "train": 80, "seed": 1}
        registry["corpora"]["twitter"]["options"]["documents"] = 120

    said = {"section": "5", "quotation": "better", "left": "bow", "right": ["majority"]}
    claims = {"better": said | {"relation": "above", "corpora": list(OFFICIAL)}}
    tables = {
        f"official_{name}": {
            "corpora": [name],
            "methods": ["majority", "bow"],
            "caption": name,
        }
        | {"protocols": ["paper"]}
        for name in OFFICIAL.values()
    }
    config = {"samples": dict.fromkeys(OFFICIAL.values(), 20_000), "edges": {}, "curves": {}}
    checkout.rewrite("workflow/registry/corpora.yaml", resize)
    checkout.rewrite(
        "workflow/registry/claims.yaml",
        lambda value: value.update(
            claims=claims,
            stand_ins={},
            other_splits={},
            official={name: [corpus] for name, corpus in OFFICIAL.items()},
        ),
    )
    checkout.rewrite(
        "config.yaml",
        lambda value: value.update(
            config,
            tables=value["tables"] | tables,
        ),
    )


@pytest.mark.long
def test_official_files_go_from_the_plan_to_tables_and_a_verdict(scratch):
    configure(scratch)
    tables = {c: f"results/tables/official_{c}.csv" for c in OFFICIAL.values()}
    without = scratch.succeeds("--dry-run", "claims")
    assert "Nothing to be done" not in without
    absent = f"rcv1_economics ({NAMES['part0']}, "
    (left_out,) = [line for line in without.splitlines() if absent in line]
    assert left_out.startswith("left out unless named: ")
    before = set(scratch.mirror.iterdir())
    write_files(scratch.mirror)
    scratch.listed(*set(scratch.mirror.iterdir()) - before)
    assert scratch.plan("claims", *tables.values())["encode"] == len(OFFICIAL)
    scratch.succeeds("claims", *tables.values())
    for corpus in tables:
        rows = scratch.rows(f"tables/official_{corpus}.csv")
        scores = {row["method"]: row for row in rows}
        assert float(scores["bow"]["micro_mean"]) > 90
        assert scores["bow"]["reference_source"] == "paper"
    rows = [row for row in scratch.rows("claims/claims.csv") if row["metric"] == "micro_f1"]
    assert {row["corpus"]: row["verdict"] for row in rows} == (
        dict.fromkeys(OFFICIAL.values(), "reproduced")
    )
    assert not any(row["stand_in"] for row in rows)
    assert "“better” (5)" in (scratch.folder / "results/claims/claims.md").read_text("utf-8")
