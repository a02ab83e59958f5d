"""RCV1 in the format of LYRL2004, and what its entries in the registries ask for."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
import yaml
from lyrl2004 import NAMES, write_hierarchy, write_tokens, write_topics

from pte.corpora.encode_entry import documents_sha256, encode_entry, read_entry
from pte.corpora.encoded import TEST, TRAIN
from pte.corpora.entry import CorpusEntry
from pte.corpora.readers import read
from pte.corpora.readers.rcv1 import LAST_TRAINING, read_children
from pte.errors import PteError

REGISTRY = yaml.safe_load(
    (Path(__file__).parents[2] / "workflow" / "registry" / "corpora.yaml").read_text("utf-8")
)
# The topics right below the branches, as LYRL2004 has them.
ROWS = """
Root CCAT ECAT GCAT MCAT
CCAT C11 C12 C13 C14 C15 C16 C17 C18 C21 C22 C23 C24 C31 C32 C33 C34 C41 C42
C15 C151 C152
ECAT E11 E12 E13 E14 E21 E31 E41 E51 E61 E71
GCAT G15 GCRIM GDEF GDIP GDIS GENT GENV GFAS GHEA GJOB GMIL GOBIT GODD GPOL GPRO GREL GSCI GSPO \
  GTOUR GVIO GVOTE GWEA GWELF
MCAT M11 M12 M13 M14
"""
HIERARCHY = {parent: codes for row in ROWS.split("\n") if row for parent, *codes in [row.split()]}
# Of LYRL2004's training part; one branch; several codes; below the second level; another branch.
FIRST = LAST_TRAINING + 1
TOPICS = {
    2286: ["CCAT", "C15"],
    FIRST: ["CCAT", "C15", "C151"],
    FIRST + 1: ["CCAT", "C11", "C42", "MCAT", "M11"],
    FIRST + 2: ["CCAT"],
    FIRST + 3: ["GCAT", "GSPO"],
    FIRST + 4: ["CCAT", "C31"],
    FIRST + 5: ["CCAT", "C11"],
}
TEXTS = {number: [f"w{number}x{i}" for i in range(number % 25)] for number in TOPICS}


@pytest.fixture
def files(tmp_path):
    """The six official files; the documents from `FIRST` on are spread over the four of tokens."""
    found = {name: tmp_path / file for name, file in NAMES.items()}
    for i in range(4):
        numbers = [n for n in TOPICS if n >= FIRST and n % 4 == i]
        write_tokens(found[f"part{i}"], [(n, TEXTS[n]) for n in numbers])
    write_topics(found["topics"], TOPICS.items())
    write_hierarchy(found["hierarchy"], HIERARCHY)
    return found


def read_branch(files, branch="CCAT", labels="several", **options):
    further = {name: path for name, path in files.items() if name != "part0"}
    options = {"branch": branch, "labels": labels, **options}
    return list(read(files["part0"], "lyrl2004", options, further))


@pytest.mark.parametrize(
    ("branch", "codes"), [("CCAT", 18), ("ECAT", 10), ("GCAT", 23), ("MCAT", 4)]
)
def test_a_branch_has_as_many_classes_as_in_the_papers_table_1(files, branch, codes):
    assert len(read_children(files["hierarchy"])[branch]) == codes


def test_a_branch_has_the_documents_with_a_code_right_below_it(files):
    found = {int(d.id): d for d in read_branch(files)}
    assert sorted(found) == [FIRST, FIRST + 1, FIRST + 4, FIRST + 5]
    assert found[FIRST].label == "C15"
    assert (found[FIRST + 1].label, found[FIRST + 1].more_labels) == ("C11", ("C42",))
    for number, document in found.items():
        assert document.text.decode().split() == TEXTS[number]
        assert document.part == TRAIN
    assert [d.id for d in read_branch(files, "MCAT")] == [str(FIRST + 1)]


def test_one_label_is_a_choice_of_the_seed_among_the_codes(files, tmp_path):
    many = {FIRST + i: ["CCAT", "C31", "C11", "C42"] for i in range(300)}
    write_tokens(files["part0"], [(n, ["w"]) for n in many])
    for i in (1, 2, 3):
        write_tokens(files[f"part{i}"], [(LAST_TRAINING + 1000 + i, ["w"])])
    write_topics(files["topics"], many.items())
    chosen = [d.label for d in read_branch(files, labels="one")]
    assert all(not d.more_labels for d in read_branch(files, labels="one"))
    assert chosen == [d.label for d in read_branch(files, labels="one", seed=1)]
    assert chosen != [d.label for d in read_branch(files, labels="one", seed=2)]
    assert all(70 < n < 130 for n in Counter(chosen).values())
    write_topics(files["topics"], [(n, codes[::-1]) for n, codes in many.items()])
    assert chosen == [d.label for d in read_branch(files, labels="one")]


# Faults


def faulty(files, name, change, message):
    content = gzip.decompress(files[name].read_bytes())
    files[name].write_bytes(gzip.compress(change(content)))
    with pytest.raises(PteError, match=message) as error:
        read_branch(files)
    assert str(files[name]) in str(error.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"CCAT C11 1\n", "line 3 is not: a topic of the hierarchy, a document's number, and 1"),
        (b"C11 26151\n", "line 3 is not: a topic"),
        (b"C11 26151 0\n", "line 3 is not: a topic"),
        (b"C99 26151 1\n", "line 3 is not: a topic of the hierarchy"),
        (b"C12 99999 1\n", "document 99999 has topics, but no file of tokens"),
    ],
)
def test_a_bad_row_of_topics_is_named_with_its_line(files, row, message):
    def insert(content):
        lines = content.splitlines(keepends=True)
        return b"".join([*lines[:2], row, *lines[2:]])

    faulty(files, "topics", insert, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.replace(b".W\n", b"", 1), r"document '\d+.*is not .I and a num"),
        (lambda content: content.replace(b".I ", b".I x", 1), "document 'x"),
        (lambda content: content + b".I 30000\n", r"document '30000.* is not .I and a number, .W"),
        (lambda content: b".I 30000\n\n" + content, r"document '30000.* is not .I and a number"),
        (lambda content: content + content, r"document \d+ came before"),
        (lambda content: b".I 2286\n.W\na\n\n" + content, "document 2286 is of LYRL2004's"),
        (lambda content: b"", "document '' is not .I and a number"),
    ],
)
def test_a_bad_file_of_tokens_is_named_with_the_line(files, change, message):
    faulty(files, "part3", change, message)


def test_a_truncated_file_is_named(files):
    write_tokens(files["part2"], [(n, ["word"] * 500) for n in range(30000, 30100)])
    whole = files["part2"].read_bytes()
    files["part2"].write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PteError, match=r"pt2.dat.gz: it cannot be read to its end"):
        read_branch(files)
    files["part2"].unlink()
    with pytest.raises(PteError, match=r"pt2.dat.gz: no such file"):
        read_branch(files)


def test_a_bad_hierarchy_is_named_with_its_line(files):
    content = files["hierarchy"].read_text()
    files["hierarchy"].write_text("parent CCAT\n" + content)
    with pytest.raises(PteError, match=r"hier.orig: line 1 is not: parent: "):
        read_branch(files)
    files["hierarchy"].write_text(content.replace("parent: CCAT", "parent: other"))
    with pytest.raises(PteError, match=r"hier.orig: no topic is below 'CCAT'"):
        read_branch(files)


def test_files_and_options_that_do_not_fit_are_an_error(files):
    with pytest.raises(PteError, match="files needs"):
        read_branch({name: path for name, path in files.items() if name != "part2"})
    with pytest.raises(PteError, match=r"labels is 'two'; it must be one or several"):
        read_branch(files, labels="two")
    with pytest.raises(PteError, match=r"corpora.yaml: reader lyrl2004: .*topics"):
        read_branch({name: path for name, path in files.items() if name != "topics"})
    with pytest.raises(PteError, match="topics is a file and an option"):
        read_branch(files, topics="these")


# Entries


def test_an_entry_without_a_hash_takes_what_is_read_and_records_its_hash(files):
    entry = CorpusEntry.from_mapping(REGISTRY["corpora"]["rcv1_corporate_several"])
    numbers = range(FIRST, FIRST + 90)
    topics = [(n, ["CCAT", ("C11", "C12", "C13")[n % 3], *["C42"][n % 2 :]]) for n in numbers]
    for i in range(4):
        write_tokens(files[f"part{i}"], [(n, ["a", "b", f"c{n}"]) for n in numbers if n % 4 == i])
    write_topics(files["topics"], topics)
    paths = {"archive": files.pop("part0"), **files}
    documents = read_entry(paths, entry)
    corpus = encode_entry(documents, entry)
    assert corpus.meta["documents_sha256"] == documents_sha256(documents)
    assert corpus.is_multilabel
    assert corpus.classes == ("C11", "C12", "C13", "C42")
    assert (corpus.documents(TRAIN).size, corpus.documents(TEST).size) == (60, 30)
