"""No damaged intermediate is used: each gives an error that names its file and says what to do."""

import shutil
from io import BytesIO

import numpy as np
import pytest

from pte.corpora.encoded import TEST, EncodedCorpus
from pte.errors import PteError
from pte.evaluation.evaluate import Scored, write_score
from pte.evaluation.metrics import score
from pte.evaluation.setting import ClassifierSetting
from pte.files import load_array, save_array, write_json
from pte.models.label_propagation import Neighbours
from pte.networks.bipartite import Network
from pte.training.scores import read_scored
from pte.training.setup import Configured, FitPlan
from pte_study.store import run_of_job


def corpus_at(folder):
    return EncodedCorpus.load(folder / "corpus")


def truth_at(folder):
    corpus = corpus_at(folder)
    return np.asarray(corpus.labels[corpus.documents(TEST)])


def network_at(folder):
    return Network.load(folder / "network")


def score_at(folder):
    files = {"corpus": "corpus", "representation": "fit.npy", "training": "fit.json"}
    plan = FitPlan("controls.RandomVectors", "words", False, Configured())
    files = {role: str(folder / file) for role, file in files.items()}
    return read_scored(plan, files, 1, ClassifierSetting())


def run_at(folder):
    return run_of_job(f"{folder}/score", truth_at(folder))


def training_at(folder):
    return run_of_job(f"{folder}/checkpoints", truth_at(folder))


ARRAYS = {
    **{
        f"corpus/{name}.npy": corpus_at
        for name in ("tokens", "offsets", "labels", "split", "groups", "memberships")
    },
    **{f"network/{name}.npy": network_at for name in ("source", "target", "weight")},
    **{"fit.npy": score_at, "score.npy": run_at, "checkpoints.npy": training_at},
    "places.npy": lambda folder: load_array(folder / "places.npy"),
}
TEXTS = {"corpus/vocabulary.txt": corpus_at}
JSONS = {
    **{"corpus/corpus.json": corpus_at, "network/network.json": network_at},
    **{"fit.json": score_at, "score.json": run_at, "checkpoints.json": training_at},
}
ARCHIVES = {"neighbours.npz": lambda folder: Neighbours.load(folder / "neighbours.npz")}
READERS = ARRAYS | TEXTS | JSONS | ARCHIVES
"""Who reads each file that the pipeline reads back, below the folder of `made`."""


def one_bit_changed(whole):
    """In the last third: the numbers of an array, not its head."""
    changed = bytearray(whole)
    changed[len(changed) * 2 // 3] ^= 4
    return bytes(changed)


def written_by_something_else(whole):
    array, made = np.load(BytesIO(whole)), BytesIO()
    np.save(made, array + np.ones((), array.dtype))
    return made.getvalue()


def edited(whole):
    """Still JSON, with one more digit in its last number."""
    last = max(whole.rfind(b"%d" % digit, 0, whole.rfind(b'"crc32"')) for digit in range(10))
    return whole[:last] + b"1" + whole[last:]


HARMS = {
    "cut in half": lambda whole: whole[: len(whole) // 2],
    "emptied": lambda whole: b"",
    "one bit changed": one_bit_changed,
    "zeroed": lambda whole: bytes(len(whole)),
    "last byte lost": lambda whole: whole[:-1],
    "lengthened": lambda whole: whole + b"more\n",
    "of something else": written_by_something_else,
    "edited": edited,
    "no object": lambda whole: b"[]",
    "no text": lambda whole: b"\xff\xfe" + whole,
}
OF_ALL = [*HARMS][:4]
OF_TEXTS = [*HARMS][:6]
OF_ARRAYS = [*HARMS][:7]
OF_JSONS = [*OF_ALL, "edited", "no text"]
CASES = [
    (file, harm)
    for files, harms in (
        *((ARRAYS, OF_ARRAYS), (TEXTS, OF_TEXTS), (JSONS, OF_JSONS), (ARCHIVES, OF_ALL)),
        (JSONS.keys() - {"fit.json"}, ["no object"]),
    )
    for file in sorted(files)
    for harm in harms
]


@pytest.fixture(scope="module")
def whole(corpus, networks, tmp_path_factory):
    """One of every kind of file that jobs leave for other jobs."""
    folder = tmp_path_factory.mktemp("whole")
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
    whole.save(folder / "corpus")
    networks["wl"].save(folder / "network")
    vectors = np.random.default_rng(1).normal(size=(corpus.n_words, 8)).astype(np.float32)
    save_array(folder / "fit.npy", vectors)
    write_json(folder / "fit.json", {"samples": 7, "seconds": 1.5})
    tests = corpus.documents(TEST)
    predicted = np.asarray(corpus.labels[tests])
    save_array(folder / "places.npy", np.zeros((corpus.n_documents, 2), np.float32))
    save_array(folder / "checkpoints.npy", np.stack([predicted, predicted]))
    runs = [{"corpus": "mr", "part": part, "seed": 1} for part in (0.5, 1)]
    write_json(folder / "checkpoints.json", {"runs": runs})
    scores = score(predicted, predicted, ("a", "b", "c"))
    write_score(folder / "score", {"corpus": "mr"}, {"samples": 7}, Scored(predicted, scores))
    Neighbours.of(corpus).save(folder / "neighbours.npz")
    return folder


@pytest.fixture
def made(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "made")


@pytest.mark.parametrize(("file", "harm"), CASES)
def test_a_damaged_file_is_named_and_never_used(made, file, harm):
    read, path = READERS[file], made / file
    read(made)
    path.write_bytes(HARMS[harm](path.read_bytes()))
    with pytest.raises(PteError) as raised:
        read(made)
    assert str(made / file.partition("/")[0]) in str(raised.value)
    assert path.name in str(raised.value)
    assert "the next run makes it again" in str(raised.value)


@pytest.mark.parametrize("file", ARRAYS | TEXTS | JSONS)
def test_a_file_that_is_gone_is_named(made, file):
    (made / file).unlink()
    with pytest.raises(PteError, match=(made / file).stem):
        READERS[file](made)


IMPOSSIBLE = {
    "corpus/tokens": [-5, -2_000_000_000, 2_000_000_000],
    "corpus/offsets": [-1, 2**40],
    "corpus/labels": [-2, 77],
    "corpus/split": [3],
    "network/source": [-1],
    "network/target": [10**6],
    "network/weight": [-1],
}


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, all in IMPOSSIBLE.items() for number in all]
)
def test_a_number_that_cannot_be_reaches_no_kernel(made, name, number):
    """The seal fits, so only the look at the numbers can find it."""
    file, (folder, array_name) = f"{name}.npy", name.split("/")
    array = load_array(made / file)
    array[1] = number
    save_array(made / file, array)
    said = rf"{array_name}\.npy" if folder == "corpus" else "network: "
    with pytest.raises(PteError, match=f"{said}.*the next run makes it again"):
        READERS[file](made)


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
