"""Documents that are numbered in shards make the corpus that is encoded whole, byte for byte."""

import numpy as np
import pytest

from pte.corpora.document import Document
from pte.corpora.encode_entry import assembled_entry, encode_entry, split_entry
from pte.corpora.entry import HeldOut, Recipe
from pte.corpora.kept import keep_documents, kept_documents
from pte.corpora.numbering import NumberedShard, join_numbered, number_shard, shares_of
from pte.corpora.parts import TRAIN
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError

RECIPE = Recipe(
    reader="delimited",
    options={},
    tokeniser="words",
    documents_sha256=None,
    split=HeldOut(0.3, 7),
)
SIZES = {"a": 40, "b": 25, "c": 15}


@pytest.fixture
def documents():
    """Of three classes: some with a second label, some with none, some empty, some not UTF-8."""
    rng = np.random.default_rng(3)
    made = []
    for label, size in SIZES.items():
        for i in range(size):
            words = [b"w%d" % n for n in rng.zipf(1.5, rng.integers(0, 60)).clip(max=300)]
            text = b" ".join(
                [label.encode(), *words, b"caf\xe9 \xe2\x80\x93 \xc3\xbc"][: 40 * (i % 9)]
            )
            labelled = i % 6 != 5
            more = ("b",) if labelled and label == "a" and i % 4 == 0 else ()
            made.append(
                Document(text, label if labelled else None, TRAIN, more, group=f"g{i}\u2028")
            )
    return [made[i] for i in rng.permutation(len(made))]


def in_shards(documents, of, folder, only=None):
    """What the jobs of the workflow do, each from the files of the one before."""
    split = split_entry(documents, RECIPE)
    keep_documents(split.documents, {"sha256": split.sha256}, folder / "documents")
    tokeniser = TOKENISERS[RECIPE.tokeniser]
    for i in range(of):
        kept, _ = kept_documents(folder / "documents")
        number_shard(shares_of(kept, of)[i], tokeniser).save(folder / str(i))
    kept, facts = kept_documents(folder / "documents")
    shards = [NumberedShard.load(folder / str(i)) for i in range(of)]
    numbered = join_numbered(shards, only)
    return assembled_entry(split._replace(documents=kept, **facts), numbered, RECIPE)


@pytest.mark.parametrize("of", [1, 3, 8, 200])
def test_shards_make_the_corpus_that_is_encoded_whole(documents, tmp_path, of):
    encode_entry(documents, RECIPE).save(tmp_path / "whole")
    in_shards(documents, of, tmp_path).save(tmp_path / "joined")
    files = {file.name for file in (tmp_path / "whole").iterdir()}
    assert {"groups.npy", "memberships.npy", "vocabulary.txt"} < files
    assert {file.name for file in (tmp_path / "joined").iterdir()} == files
    for name in files:
        found, expected = (tmp_path / which / name for which in ("joined", "whole"))
        assert found.read_bytes() == expected.read_bytes()


def test_a_given_vocabulary_is_that_of_all_shards(documents, tmp_path):
    (tmp_path / "words.txt").write_text("w1\nw7\na\nb\nc\n")
    whole = encode_entry(documents, RECIPE, vocabulary=tmp_path / "words.txt")
    joined = in_shards(documents, 3, tmp_path, frozenset([b"w1", b"w7", b"a", b"b", b"c"]))
    assert joined.words == whole.words and joined.meta == whole.meta
    assert joined.tokens.tolist() == whole.tokens.tolist()


def test_kept_documents_come_back(documents, tmp_path):
    keep_documents(documents, {"sha256": "0f", "left_out": {"empty": 2}}, tmp_path / "kept")
    kept, facts = kept_documents(tmp_path / "kept")
    assert kept == documents
    assert facts == {"sha256": "0f", "left_out": {"empty": 2}}


def test_damaged_documents_are_named(documents, tmp_path):
    keep_documents(documents, {}, tmp_path / "kept")
    (tmp_path / "kept" / "texts.npy").write_bytes(b"short")
    with pytest.raises(PteError, match=r"texts\.npy"):
        kept_documents(tmp_path / "kept")
