"""A forged model file is refused with a message, or it predicts: for every estimator and method.

A forgery has the right checksums, so that nothing but the checks of `pte` finds it.
"""

import io
import json
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inputs import check, damaged, strange
from made import npy, zipped

import pte
from pte.array_file import LARGEST
from pte.classify.registry import methods
from pte.errors import PteError

FUZZ = settings.get_profile("fuzz")
TEXTS = ["the team won the match", "the striker scored", "the bank cut its rate", "a price fell"]
LABELS = ["sport", "sport", "money", None]
SEVERAL = [["sport"], ["sport", "ball"], ["money"], None]
QUICK = {"dim": 8, "threads": 1, "random_state": 0}
MODELS = {
    **{name: (lambda name=name: (pte.TextClassifier(method=name, samples=3000, **QUICK), LABELS))
       for name in ("bow", "bow_pairs", "nb_em", "label_propagation", "skip_gram", "pvdbow", "cnn",
                    "pte_joint_bow", "pte_joint_unit", "pte_auto", "fasttext", "majority",
                    "nb_svm_pairs", "svm_letters")},
    "bow of several": lambda: (pte.TextClassifier(method="bow", **QUICK), SEVERAL),
    "PTE": lambda: (pte.PTE(samples=3000, **QUICK), LABELS),
    "LINE": lambda: (pte.LINE(samples=3000, **QUICK), None),
    "PTEAuto": lambda: (pte.PTEAuto(samples_limit=3000, **QUICK), LABELS),
    "PTEClassifier": lambda: (pte.PTEClassifier(samples=3000, **QUICK), LABELS),
    "PTEClassifier of several": lambda: (pte.PTEClassifier(samples=3000, **QUICK), SEVERAL),
}  # fmt: skip
FACTS = "model.json"
NO_FACTS = (
    *(b"[]", b"[" * 10_000, b"\xff", b"1", b"", bytes(99)),
    b'{"format": 4, "estimator": "\\ud800"}',
    *(b'{"format": %s}' % number for number in (b"NaN", b"1e999", b"9" * 5000)),
)
HEADERS = (
    *(("'<f4'", f"({n}, 8)", 1) for n in (10**9, 10**30, -1, 1.5, True, "None")),
    *(("'<f4'", shape, 1) for shape in ("(" * 2000 + ")" * 2000, str((1,) * 70), "()", "5", "{}")),
    *((kind, "(1,)", 1) for kind in ("'|O'", "[('a', '|O')]", "'V4'", "'<M8[s]'", "print()", "''")),
    *(("'<f4'", "(1,)", version) for version in (0, 2, 3, 9)),
)
FLOATS = (np.nan, np.inf, -1e30, 0.0, 5.0)
INTS = (0, 1, 7, 100, 127)
TYPES = (">i4", "<c8", "<f8", "<f4", "<i8", "<i4", "|u1", "|b1", "<U3", ">f4", "<f2")


@cache
def members(name: str, folder: Path) -> dict[str, bytes]:
    """The members of the file of a small model."""
    model, labels = MODELS[name]()
    again = None if labels is None else labels * 6
    model.fit(TEXTS * 6, again).save(folder / "whole")
    with zipfile.ZipFile(folder / "whole") as archive:
        return {each: archive.read(each) for each in archive.namelist()}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


def header(dtype: str, shape: str, version: int) -> bytes:
    """The beginning of a file of numpy that says what it likes."""
    said = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    length = len(said).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + said


@st.composite
def forged_array(draw: st.DrawFn, content: bytes) -> bytes:
    """An array with another value, type or shape; or bytes that say they are a huge array."""
    array = np.load(io.BytesIO(content))
    kinds = ["value", "value", "type", "shape", "rows", "empty", "order", "header", "bytes"]
    kind = draw(st.sampled_from(kinds))
    if kind == "value" and array.size and array.dtype.kind in "fiu":
        values = FLOATS if array.dtype.kind == "f" else INTS
        changed = array.copy()
        changed.flat[draw(st.integers(0, array.size - 1))] = draw(st.sampled_from(values))
        return npy(changed)
    if kind == "type" and array.dtype.kind in "fiub":
        return npy(array.astype(draw(st.sampled_from(TYPES)), casting="unsafe"))
    if kind == "shape":
        shapes = [array.T, array.reshape(-1), array[None], array[..., None]]
        return npy(draw(st.sampled_from(shapes)))
    if kind == "rows" and array.ndim:
        return npy(draw(st.sampled_from([array[:-1], np.concatenate([array, array[:1]])])))
    if kind == "empty":
        return npy(np.zeros(tuple(0 for _ in array.shape), array.dtype))
    if kind == "order" and array.ndim > 1:
        return npy(np.asfortranarray(array))
    if kind == "header":
        return header(*draw(st.sampled_from(HEADERS))) + content
    return draw(damaged(content))


@st.composite
def forged(draw: st.DrawFn, whole: dict[str, bytes]) -> bytes:
    """A model file with one or two members forged, or with damaged bytes."""
    files = dict(whole)
    for name in draw(st.lists(st.sampled_from(sorted(whole)), min_size=1, max_size=2, unique=True)):
        how = draw(st.sampled_from(["gone", "named", "more", "twice", *["changed"] * 4]))
        if how == "gone":
            del files[name]
        elif how == "named":
            files["x" + name] = files.pop(name)
        elif how == "more":
            more = draw(st.sampled_from(["more.npy", "../../more.npy", "/more.npy", "more/", "\\"]))
            files[more] = npy(np.zeros(3))
        elif how == "twice":
            return zipped(files) + zipped(files)
        elif name == FACTS:
            facts = json.dumps(strange(draw, json.loads(files[name]))).encode()
            files[name] = draw(st.sampled_from([facts, facts, facts, facts, *NO_FACTS]))
        else:
            files[name] = draw(forged_array(files[name]))
    content = zipped(files, draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])))
    return draw(damaged(content)) if draw(st.integers(0, 5)) == 0 else content


def used(path: Path) -> None:
    """Open a model and ask it for all that it can say; what it says must be finite."""
    model = pte.load(path)
    texts = [*TEXTS, "", "unknown words", "team bank"]
    if hasattr(model, "predict_proba"):
        likely = model.predict_proba(texts)
        assert likely.shape == (len(texts), model.classes_.size)
        assert np.isfinite(likely).all()
        model.predict(texts)
        model.explain("the team of the bank")
    if hasattr(model, "word_vectors_"):
        model.word_vectors_.nearest(np.ones(model.word_vectors_.dim, np.float32))
    if getattr(model, "label_vectors_", None) is not None:
        model.word_vectors_.nearest(model.label_vectors_[next(iter(model.label_vectors_))])
    vectors = model.transform(texts) if hasattr(model, "word_vectors_") else np.zeros(1)
    assert np.isfinite(vectors).all()


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", MODELS)
def test_a_forged_model_is_refused_or_predicts(name, folder, tmp_path):
    whole, path = members(name, folder), tmp_path / "model.npz"
    path.write_bytes(zipped(whole))
    used(path)

    @FUZZ
    @given(content=forged(whole))
    def each(content):
        path.write_bytes(content)
        check(f"model {name}", lambda: used(path))

    each()


def test_every_module_of_a_method_is_forged():
    known = methods()
    tried = {known[name].model for name in known if name in MODELS}
    keeps_arrays = {each.model for each in known.values() if each.spec.yields != "words"}
    assert keeps_arrays - {"controls.Encoder"} <= tried  # an encoder keeps a folder of its own


@pytest.mark.parametrize("name", ["pte_auto", "pvdbow", "nb_em"])
@pytest.mark.parametrize(
    "notes", ["x", [1], 1, {}, {"judges": "x"}, {"judges": 5}, {"judges": 5, "right": 6}]
)
def test_forged_notes_are_refused_or_tell_nothing(name, notes, folder, tmp_path):
    whole, path = members(name, folder), tmp_path / "model.npz"
    facts = json.loads(whole[FACTS])
    facts["learnt"]["notes"] = notes
    path.write_bytes(zipped({**whole, FACTS: json.dumps(facts).encode()}))
    if isinstance(notes, dict):
        assert pte.load(path).judged_ is None
    else:
        with pytest.raises(PteError, match=r"model\.npz: its 'notes' is"):
            pte.load(path)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_rate_of_no_training_gives_no_vectors_that_are_not_finite(folder, tmp_path):
    whole, path = members("pvdbow", folder), tmp_path / "model.npz"
    facts = json.loads(whole[FACTS])
    for rate in (9e14, 1e300):
        facts["learnt"]["learning_rate"] = rate
        path.write_bytes(zipped({**whole, FACTS: json.dumps(facts).encode()}))
        if rate > LARGEST:
            with pytest.raises(
                PteError, match=r"model\.npz: its 'learning_rate' is 1e\+300; it is damaged"
            ):
                pte.load(path)
        else:
            assert np.isfinite(pte.load(path).transform(TEXTS)).all()
    del facts["learnt"]["negatives"]
    facts["learnt"]["learning_rate"] = 0.025
    path.write_bytes(zipped({**whole, FACTS: json.dumps(facts).encode()}))
    with pytest.raises(PteError, match="its 'negatives' is not there; it is damaged"):
        pte.load(path)


IMPOSSIBLE = [
    ("learning_rate", 0),
    ("learning_rate", -1.0),
    ("negatives", -1),
    ("negatives", 0.5),
    ("epochs", 0),
]


@pytest.mark.parametrize(("key", "value"), IMPOSSIBLE)
def test_an_inference_that_cannot_be_is_refused_when_the_file_is_opened(
    folder, tmp_path, key, value
):
    whole, path = members("pvdbow", folder), tmp_path / "model.npz"
    facts = json.loads(whole[FACTS])
    (facts["learnt"]["choice"] if key == "epochs" else facts["learnt"])[key] = value
    path.write_bytes(zipped({**whole, FACTS: json.dumps(facts).encode()}))
    with pytest.raises(PteError, match=rf"model\.npz: .*{key}"):
        pte.load(path)
