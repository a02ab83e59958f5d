"""Folders of classes, lines of fastText and plain lines."""

import pytest
from test_tables import rows, written

from pte.errors import PteError
from pte.tables.documents import read_labelled, read_texts, sha256_of_text

FILES = {
    "pos/b.txt": "good",
    "pos/a.txt": "fine",
    "neg/deep/c.txt": "bad",
    "unlabelled/d.txt": "who knows",
    ".hidden/x": "no",
    "pos/.DS_Store": "no",
    "pos/Thumbs.db": "no",
    "__MACOSX/pos/a.txt": "no",
}


def read(path, **options):
    return read_labelled(str(path), options)


def folder_of(path, files=FILES):
    for name, content in files.items():
        written(path / name, content)
    return path


# Folders


def test_a_folder_for_each_class(tmp_path):
    (tmp_path / "f" / "c 😀").mkdir(parents=True)
    found = read(folder_of(tmp_path / "f"))
    assert rows(found) == [
        ("bad", ("neg",), "neg/deep/c.txt"),
        ("fine", ("pos",), "pos/a.txt"),
        ("good", ("pos",), "pos/b.txt"),
        ("who knows", (), "unlabelled/d.txt"),
    ]
    assert (found.unit, found.tests) == ("", None)


def test_folders_of_classes_may_be_inside_train_and_test(tmp_path, capsys):
    files = {"Train/x/1": "a", "Train/unsup/2": "b", "TEST/x/3": "c", "README": "-", "TEST/4": "-"}
    found = read(folder_of(tmp_path / "f", files | {"unsup/y/5": "d"}))
    assert rows(found) == [
        ("c", ("x",), "TEST/x/3"),
        ("b", (), "Train/unsup/2"),
        ("a", ("x",), "Train/x/1"),
        ("d", (), "unsup/y/5"),
    ]
    assert found.tests == [True, False, False, False]
    left_out = "left out 2 files in no folder of a class: ['README', 'TEST/4']"
    assert left_out in capsys.readouterr().err


def test_folders_behind_links_are_folders_of_classes(tmp_path):
    path = folder_of(tmp_path / "f", {"neg/a.txt": "bad", ".git/b.txt": "no"})
    before, elsewhere = sha256_of_text(str(path)), folder_of(tmp_path / "g", {"b.txt": "good"})
    (path / ".git" / "up").symlink_to(path, target_is_directory=True)
    assert sha256_of_text(str(path)) == before
    (path / "pos").symlink_to(elsewhere)
    assert rows(read(path)) == [
        ("bad", ("neg",), "neg/a.txt"), ("good", ("pos",), "pos/b.txt"),
    ]  # fmt: skip
    assert sha256_of_text(str(path)) != before
    (elsewhere / "up").symlink_to(path / "pos")
    with pytest.raises(PteError, match="f/pos/up: this link leads to a folder around it"):
        read(path)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({".hidden": "a"}, "f: it holds no folder with files; put each class into a folder"),
        ({"1.txt": "a"}, "f: it holds no folder with files; put each class into a folder"),
        ({"x/1": b"a\nb\x81"}, "x/1: line 2, near .* is neither UTF-8 nor Windows-1252"),
        ({"x/1": b"a\n\0"}, "x/1: line 2 holds a zero byte"),
    ],
)
def test_a_folder_that_is_not_as_it_should_be_is_an_error(tmp_path, files, message):
    with pytest.raises(PteError, match=message):
        read(folder_of(tmp_path / "f", files))


def test_a_folder_is_hashed_by_its_names_and_contents(tmp_path):
    path = folder_of(tmp_path / "f")
    hashes = [sha256_of_text(str(path))]
    written(path / "pos" / "a.txt", "finer")
    hashes.append(sha256_of_text(str(path)))
    (path / "pos" / "a.txt").rename(path / "pos" / "aa.txt")
    hashes.append(sha256_of_text(str(path)))
    assert len(set(hashes)) == 3
    written(path / ".DS_Store", b"\0")
    written(path / "pos" / "Thumbs.db", b"\0")
    assert sha256_of_text(str(path)) == hashes[-1]


def test_links_that_lead_around_are_refused_and_not_followed_for_good(tmp_path):
    for name in ("one", "two"):
        written(tmp_path / "mails" / name / "a.txt", "a text")
    for name, other in (("one", "two"), ("two", "one")):
        for link in ("first", "second"):
            (tmp_path / "mails" / name / link).symlink_to(tmp_path / "mails" / other)
    with pytest.raises(PteError, match="this link leads to a folder around it; take it out"):
        read(tmp_path / "mails")


# Lines


def test_labels_stand_before_the_text_of_a_line(tmp_path):
    lines = "__label__x __label__y The  text\n\nno label __label__z\n__label__x\n__label__x\tb\n"
    assert rows(read(written(tmp_path / "a.txt", lines))) == [
        ("The  text", ("x", "y"), "1"),
        ("no label __label__z", (), "3"),
        ("", ("x",), "4"),
        ("b", ("x",), "5"),
    ]


def test_lines_without_any_label_are_texts_alone(tmp_path):
    path = written(tmp_path / "a.txt", "a\n\n b \n")
    with pytest.raises(PteError, match=r"a\.txt: no line begins with __label__"):
        read(path)
    assert rows(read_texts(str(path), {})) == [("a", (), "1"), ("", (), "2"), ("b", (), "3")]
    given = {"text": "review", "missing": ("a b",), "ignore_case": True, "header": None}
    said = "its lines are documents; leave out --text, --missing, --ignore-case, or"
    with pytest.raises(PteError, match=said):
        read_texts(str(path), {**given, "format": "lines"})
    with pytest.raises(PteError, match="it holds no text; put a document on each line"):
        read_texts(str(written(path, " \n")), {"format": "lines"})
