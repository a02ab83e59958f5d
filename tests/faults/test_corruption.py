"""No damaged intermediate is used: each gives an error that names its file and says what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import Scored, write_score
from pte.evaluation.setting import ClassifierSetting
from pte.files import load_array, save_array, write_json
from pte.models.neighbours import Neighbours
from pte.networks.bipartite import Network
from pte.selection.scores import read_scored
from pte.training.setup import Configured, FitPlan
from pte_study.store.reading import run_of_job


class Intermediate(NamedTuple):
    """A file that the pipeline reads back, below the folder of `made`, and who reads it."""

    file: str
    read: Callable[[Path], object]


def corpus_at(folder):
    return EncodedCorpus.load(folder / "corpus")


def network_at(folder):
    return Network.load(folder / "network")


def score_at(folder):
    files = {
        "corpus": folder / "corpus",
        "representation": folder / "fit.npy",
        "training": folder / "fit.json",
    }
    plan = FitPlan("pte.models.random_vectors", "words", False, Configured())
    setting = ClassifierSetting()
    return read_scored(plan, {role: str(file) for role, file in files.items()}, 1, setting)


def truth_at(folder):
    corpus = corpus_at(folder)
    return np.asarray(corpus.labels[corpus.documents(TEST)])


def run_at(folder):
    return run_of_job(f"{folder}/score", truth_at(folder))


def training_at(folder):
    return run_of_job(f"{folder}/checkpoints", truth_at(folder))


def places_at(folder):
    return load_array(folder / "places.npy")


def neighbours_at(folder):
    return Neighbours.load(folder / "neighbours.npz")


ARRAYS = [
    *(
        Intermediate(f"corpus/{name}.npy", corpus_at)
        for name in ("tokens", "offsets", "labels", "split", "groups", "memberships")
    ),
    *(Intermediate(f"network/{name}.npy", network_at) for name in ("source", "target", "weight")),
    Intermediate("fit.npy", score_at),
    Intermediate("score.npy", run_at),
    Intermediate("checkpoints.npy", training_at),
    Intermediate("places.npy", places_at),
]
TEXTS = [Intermediate("corpus/vocabulary.txt", corpus_at)]
JSONS = [
    Intermediate("corpus/corpus.json", corpus_at),
    Intermediate("network/network.json", network_at),
    Intermediate("fit.json", score_at),
    Intermediate("score.json", run_at),
    Intermediate("checkpoints.json", training_at),
]
ARCHIVES = [Intermediate("neighbours.npz", neighbours_at)]


def cut_in_half(file):
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def emptied(file):
    file.write_bytes(b"")


def last_byte_lost(file):
    file.write_bytes(file.read_bytes()[:-1])


def lengthened(file):
    file.write_bytes(file.read_bytes() + b"more\n")


def one_bit_changed(file):
    """In the last third: the numbers of an array, not its head."""
    content = bytearray(file.read_bytes())
    content[len(content) * 2 // 3] ^= 4
    file.write_bytes(content)


def zeroed(file):
    file.write_bytes(bytes(file.stat().st_size))


def written_by_something_else(file):
    array = np.load(file)
    with file.open("wb") as handle:
        np.save(handle, array + np.ones((), array.dtype))


def edited(file):
    """Still JSON, with one more digit in its last number."""
    content = file.read_bytes()
    last = max(content.rfind(b"%d" % digit, 0, content.rfind(b'"crc32"')) for digit in range(10))
    file.write_bytes(content[:last] + b"1" + content[last:])


def not_an_object(file):
    file.write_text("[]", "utf-8")


def not_text(file):
    file.write_bytes(b"\xff\xfe" + file.read_bytes())


OF_BYTES = (cut_in_half, emptied, last_byte_lost, one_bit_changed, zeroed)
OF_ARRAYS = (*OF_BYTES, lengthened, written_by_something_else)
OF_ARCHIVES = (cut_in_half, emptied, one_bit_changed, zeroed)
OF_JSONS = (cut_in_half, emptied, not_text, one_bit_changed, zeroed, edited)
CASES = [
    *((each, harm) for each in ARRAYS for harm in OF_ARRAYS),
    *((each, harm) for each in TEXTS for harm in (*OF_BYTES, lengthened)),
    *((each, harm) for each in JSONS for harm in OF_JSONS),
    *((each, not_an_object) for each in JSONS if each.file != "fit.json"),
    *((each, harm) for each in ARCHIVES for harm in OF_ARCHIVES),
]


@pytest.fixture
def made(corpus, networks, tmp_path):
    """One of every kind of file that jobs leave for other jobs."""
    several = np.stack([np.arange(corpus.n_documents), corpus.labels], axis=1).astype(np.int32)
    whole = EncodedCorpus(
        tokens=corpus.tokens,
        offsets=corpus.offsets,
        labels=corpus.labels,
        split=corpus.split,
        words=corpus.words,
        classes=corpus.classes,
        meta=corpus.meta,
        groups=np.arange(corpus.n_documents, dtype=np.int32),
        memberships=several[several[:, 1] >= 0],
    )
    whole.save(tmp_path / "corpus")
    networks["wl"].save(tmp_path / "network")
    vectors = np.random.default_rng(1).normal(size=(corpus.n_words, 8)).astype(np.float32)
    save_array(tmp_path / "fit.npy", vectors)
    write_json(tmp_path / "fit.json", {"samples": 7, "seconds": 1.5})
    tests = corpus.documents(TEST)
    predicted = np.asarray(corpus.labels[tests])
    save_array(tmp_path / "places.npy", np.zeros((corpus.n_documents, 2), np.float32))
    save_array(tmp_path / "checkpoints.npy", np.stack([predicted, predicted]))
    runs = [{"corpus": "mr", "part": part, "seed": 1} for part in (0.5, 1)]
    write_json(tmp_path / "checkpoints.json", {"runs": runs})
    _write_score(tmp_path, predicted)
    Neighbours.of(corpus).save(tmp_path / "neighbours.npz")
    return tmp_path


def _write_score(folder, predicted):
    from pte.evaluation.metrics import score

    scores = score(predicted, predicted, ("a", "b", "c"))
    write_score(folder / "score", {"corpus": "mr"}, {"samples": 7}, Scored(predicted, scores))


@pytest.mark.parametrize(("each", "harm"), CASES, ids=[f"{e.file}-{h.__name__}" for e, h in CASES])
def test_a_damaged_file_is_named_and_never_used(made, each, harm):
    each.read(made)
    file = made / each.file
    harm(file)
    with pytest.raises(PteError) as raised:
        each.read(made)
    assert str(made / each.file.partition("/")[0]) in str(raised.value)
    assert file.name in str(raised.value)
    assert "the next run makes it again" in str(raised.value)


@pytest.mark.parametrize("each", [*ARRAYS, *TEXTS, *JSONS], ids=lambda each: each.file)
def test_a_file_that_is_gone_is_named(made, each):
    (made / each.file).unlink()
    with pytest.raises(PteError, match=(made / each.file).stem):
        each.read(made)


IMPOSSIBLE = {
    "tokens": [-5, -2_000_000_000, 2_000_000_000],
    "offsets": [-1, 2**40],
    "labels": [-2, 77],
    "split": [3],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, all in IMPOSSIBLE.items() for number in all]
)
def test_a_number_that_cannot_be_reaches_no_kernel(made, name, number):
    """The seal fits, so only the look at the numbers can find it."""
    file = made / "corpus" / f"{name}.npy"
    array = load_array(file)
    array[1] = number
    save_array(file, array)
    with pytest.raises(PteError, match=rf"{name}\.npy.*the next run makes it again"):
        corpus_at(made)


@pytest.mark.parametrize(("name", "number"), [("source", -1), ("target", 10**6), ("weight", -1)])
def test_an_edge_that_cannot_be_reaches_no_kernel(made, name, number):
    file = made / "network" / f"{name}.npy"
    array = load_array(file)
    array[0] = number
    save_array(file, array)
    with pytest.raises(PteError, match=r"network: .*the next run makes it again"):
        network_at(made)


def test_an_array_of_another_type_is_refused(made):
    file = made / "corpus" / "tokens.npy"
    save_array(file, load_array(file).astype(np.int64))
    with pytest.raises(PteError, match=r"tokens\.npy: its numbers are int64, not int32"):
        corpus_at(made)


@pytest.mark.parametrize("mapped", [False, True])
def test_an_array_comes_back_and_stays_readable_for_others(tmp_path, mapped):
    array = np.arange(12, dtype=np.int32).reshape(3, 4)
    save_array(tmp_path / "a.npy", array)
    found = load_array(tmp_path / "a.npy", mapped=mapped)
    assert np.array_equal(found, array)
    assert isinstance(found, np.memmap) == mapped
    assert np.array_equal(np.load(tmp_path / "a.npy"), array)
