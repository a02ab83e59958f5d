"""The tokeniser `words`, which knows letters, marks and digits of every script."""

import sys
import unicodedata

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pte.corpora import folding
from pte.corpora.document import Document
from pte.corpora.encode import encode
from pte.corpora.encoded import TRAIN
from pte.corpora.tokenise import words

MARKS = st.characters(categories=["Mn", "Mc"])
WORDS = st.characters(categories=["L", "M", "N"])
UNCUT = st.sampled_from("看电影々〇ーカがのﾊﾞㄅ𠀀ไทยที่๒ລາວខ្មែរမြန်မာ")
JAMO = st.characters(min_codepoint=0x1100, max_codepoint=0x11FF)
TEXTS = st.text(
    (MARKS | WORDS | JAMO | UNCUT)
    | st.characters(exclude_categories=["Cs"])
    | st.sampled_from("aeo ÅΩß❤\ufe0e\ufe0f\u20e3\u200d"),
    max_size=20,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("für Ärger café", "für ärger café"),
        ("STRASSE Straße", "strasse strasse"),
        ("don't l’été snake_case well-known", "don t l été snake case well known"),
        ("naïve coöperate — «Ça» … 42½ x²", "naïve coöperate ça 42½ x²"),
        ("Привет, МИР! ΣΟΦΟΣ σοφος", "привет мир σοφοσ σοφοσ"),
        ("हिन्दी में। كِتَابٌ שָׁלוֹם", "हिन्दी में كِتَابٌ שָׁלוֹם"),
        ("東京は、晴れ。 한국어", "東 東京 京 京は は 晴 晴れ れ 한국어"),
        ("一", "一"),
        ("iPhone手机2024年", "iphone 手 手机 机 2024 年"),
        ("カ\u3099ラスの時々", "ガ ガラ ラ ラス ス スの の の時 時 時々 々"),
        ("ที่นี่ ๒๕ ๒ปี", "ที่ ที่นี่ นี่ ๒๕ ๒ ปี"),
        ("ພາສາ", "ພ ພາ າ າສ ສ ສາ າ"),
        ("ខ្មែរ", "ខ្ ខ្មែ មែ មែរ រ"),
        ("မြန်", "မြ မြန် န်"),
        (
            "\ufeffbom\u00a0nbsp\u2028line\u200bzero\u00adsoft\x85next",
            "bom nbsp line zero soft next",
        ),
        ("a\0b 😀c", "a b c"),
        ("❤\ufe0f ☎\ufe0e 👩\u200d⚕\ufe0f \u20e3 #\ufe0f\u20e3 \u0301", ""),
        ("❤\ufe0flove #\ufe0f\u20e3tag ⚽\ufe0f看", "love tag 看"),
        ("1\ufe0f\u20e3 葛\U000e0100 ℹ\ufe0f", "1\ufe0f\u20e3 葛\U000e0100 ℹ\ufe0f"),
        ("র\u200d\u09cdযাব क्\u200dष می\u200cخواهم", "র \u09cdযাব क् ष می خواهم"),
        ("\u0e34ก", "\u0e34ก ก"),
    ],
)
def test_words_are_letters_marks_and_digits_without_case(text, expected):
    assert words(text.encode()) == expected.encode().split()


def test_a_word_is_the_same_however_it_is_composed():
    for text in ("Ärger", "각", "ế", "ǰ", "Ω"):
        forms = {unicodedata.normalize(form, text) for form in ("NFC", "NFD")}
        assert len({tuple(words(form.encode())) for form in forms}) == 1, text


@pytest.mark.long
def test_every_assigned_character_is_what_unicode_says():
    """Alone, and between letters, so that it may compose with what is before it."""
    category, unassigned = unicodedata.category, ("Cn", "Co", "Cs")
    assigned = [c for c in map(chr, range(sys.maxunicode + 1)) if category(c) not in unassigned]
    text = " ".join(f"{c} a{c}b" for c in assigned).encode()
    assert words(text) == naive.unicode_words(text)


@given(TEXTS)
@example("\u0344\u0345\u0301a")
@example("\u1100\u1161\u11a8\u1161")
def test_words_are_those_of_the_naive_twin(text):
    assert words(text.encode()) == naive.unicode_words(text.encode())


@given(st.lists(st.binary(max_size=4) | TEXTS.map(str.encode), max_size=6).map(b"".join))
@example("é".encode("latin-1") + b"a")
@example(b"\xed\xa0\x80a\xc0\x80b\xf4\x90\x80\x80c\xe2\x82")
def test_bytes_that_do_not_decode_separate(text):
    assert words(text) == naive.unicode_words(text)
    assert b"".join(words(text)).decode() is not None


def test_signs_are_no_words():
    """Such as emojis with variation selectors."""
    texts = ["⚽\ufe0f goal", "❤\ufe0f", "🏆\ufe0f🏆"]
    corpus = encode([Document(text.encode(), "x", TRAIN) for text in texts], words)
    assert corpus.words == (b"goal",) and np.diff(corpus.offsets).tolist() == [1, 0, 0]


def test_folding_makes_no_character_more_than_three_times_as_long():
    table = folding._folding()
    lengths = np.array([len(c.encode("utf-8", "surrogatepass")) for c in map(chr, range(0x110000))])
    assert (np.diff(table.ends) <= 3 * lengths).all()
