"""Readers of tweets."""

import zipfile
from collections import Counter

import pytest
from made import tar_of

from pte.corpora.document import Document
from pte.corpora.encoded import TRAIN
from pte.corpora.readers.packed import class_lines
from pte.corpora.readers.tweets import tweets
from pte.errors import PteError

SENTIMENT140 = (
    b'"0","14","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","user","@a it is, &quot;s&quot; &lt;3 "\n'
    b'"4","15","Mon Apr 06","NO_QUERY","user","a "quote", and ""another"" caf\xe9"\n'
    b'"2","16","Mon Apr 06","NO_QUERY","user","neutral"\n'
    b'"4","17","Mon Apr 06","NO_QUERY","user"\n'
    b'"4","18","Mon Apr 06","NO_QUERY","user","  "\n'
    b'"4","14","Mon Apr 06","NO_QUERY","user","again"\n'
)
THINKNOOK = (
    b"\xef\xbb\xbfItemID,Sentiment,SentimentSource,SentimentText\r\n"
    b"1,0,Sentiment140,                     is so sad, for my friend....\r\n"
    b'2,1,Sentiment140,"  quoted, &amp; ""twice"""\r\n'
    b'3,1,Kaggle,"half quoted, text\r\n'
    b"4,0,Kaggle,caf\xc3\xa9 \xff\r\n"
    b"half of a tweet\r\n"
    b"\r\n"
    b"5,1,Kaggle,\r\n"
    b"6,7,Kaggle,text\r\n"
    b"7,1,Kaggle,last"
)
THINKNOOK_TEXTS = [
    (b"is so sad, for my friend....", "negative"),
    (b'quoted, & "twice"', "positive"),
    (b'"half quoted, text', "positive"),
    (b"caf\xc3\xa9 \xff", "negative"),
    (b"last", "positive"),
]


def zip_of(folder, content):
    with zipfile.ZipFile(folder / "tweets.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/tweets.csv", content)
        archive.writestr("readme.csv", "x")
    return folder / "tweets.zip"


def found_in(path, form, **options):
    counts = Counter()
    return list(tweets(path, form, "tweets.csv", counts=counts, **options)), +counts


def test_sentiment140_is_quoted_latin_1(tmp_path):
    found, counts = found_in(zip_of(tmp_path, SENTIMENT140), "sentiment140")
    assert found == [
        Document(b'@a it is, "s" <3', "negative", TRAIN, id="14"),
        Document('a "quote", and "another" café'.encode(), "positive", TRAIN, id="15"),
        Document(b"again", "positive", TRAIN, id="14"),
    ]
    assert counts == {
        "broken lines": 1,
        "lines without a text or with another sentiment": 2,
        "tweets with the id of another": 1,
    }


def test_thinknook_has_a_head_and_commas_that_nothing_quotes(tmp_path):
    found, counts = found_in(zip_of(tmp_path, THINKNOOK), "thinknook")
    assert [(d.text, d.label) for d in found] == THINKNOOK_TEXTS
    assert counts == {"broken lines": 1, "lines without a text or with another sentiment": 2}


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order(tmp_path):
    lines = [f"{i},{i % 2},Kaggle,tweet {i}\r\n" for i in range(200)]
    path = zip_of(tmp_path, "".join(lines))
    one, again, two, all_of_them = (
        [int(d.id) for d in found_in(path, "thinknook", documents=size, seed=seed)[0]]
        for size, seed in ((50, 1), (50, 1), (50, 2), (200, 1))
    )
    assert one == again != two
    assert one == sorted(set(one))
    assert len(one) == 50
    assert max(one) > 100
    assert all_of_them == list(range(200))
    with pytest.raises(PteError, match=r"tweets\.zip: documents is 201, but there are 200"):
        found_in(path, "thinknook", documents=201)


@pytest.mark.parametrize(
    ("content", "form", "message"),
    [
        (b"", "thinknook", r"tweets\.zip: .*does not hold a tweet in tweets\.csv"),
        (THINKNOOK, "sentiment140", "does not hold a tweet"),
        (THINKNOOK, "other", "form 'other' is not one of sentiment140, thinknook"),
    ],
)
def test_no_tweets_are_an_error(tmp_path, content, form, message):
    with pytest.raises(PteError, match=message):
        found_in(zip_of(tmp_path, content), form)


def test_a_damaged_archive_is_named(tmp_path):
    path = zip_of(tmp_path, THINKNOOK)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    with pytest.raises(PteError, match=r"tweets\.zip: it cannot be read to its end"):
        found_in(path, "thinknook")
    path.write_bytes(whole[:60] + b"\x00\xff" + whole[62:])
    with pytest.raises(PteError, match=r"tweets\.zip: it cannot be read to its end"):
        found_in(path, "thinknook")
    path.write_bytes(whole)
    with pytest.raises(PteError, match=r"0 files are named absent\.csv; one must be"):
        list(tweets(path, "thinknook", "absent.csv"))


PATTERN = r"(?:.*/)?set/(?P<label>pos|neg)\.txt"


def test_a_file_for_each_class_has_a_document_on_each_line(tmp_path):
    path = tar_of(
        tmp_path / "a.tar.gz", {"set/pos.txt": b"a &lt;3\r\n\nb", "set/neg.txt": b"c\n", "x": b"y"}
    )
    assert list(class_lines(path, PATTERN, html_entities=True)) == [
        Document(b"c", "neg", TRAIN),
        Document(b"a <3", "pos", TRAIN),
        Document(b"b", "pos", TRAIN),
    ]
    assert [d.text for d in class_lines(path, PATTERN)] == [b"c", b"a &lt;3", b"b"]


@pytest.mark.parametrize("members", [{"x": b"y"}, {"set/pos.txt": b"\n \n"}])
def test_classes_without_documents_are_an_error(tmp_path, members):
    with pytest.raises(PteError, match=r"a\.tar\.gz: .*does not hold a document in a file named"):
        list(class_lines(tar_of(tmp_path / "a.tar.gz", members), PATTERN))
