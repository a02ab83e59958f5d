"""The rows of an encoder, from its folder to the table and the page."""

import pytest

from pte.files import read_json

PACKAGES = {
    "onnxruntime": """
import numpy as np


class SessionOptions:
    pass


class Input:
    name = "input_ids"


class InferenceSession:
    def __init__(self, *_, **__):
        pass

    def get_inputs(self):
        return [Input]

    def run(self, _, given):
        return [np.eye(36, dtype=np.float32)[given["input_ids"]]]
""",
    "tokenizers": """
class Cut:
    def __init__(self, text):
        self.ids = [int(letter, 36) for letter in text if letter.isalnum()]


class Tokenizer:
    from_file = classmethod(lambda cls, file: cls())
    no_padding = enable_truncation = lambda self, most=0: None
    encode = staticmethod(Cut)
    get_vocab_size = lambda self: 36
""",
}
"""Stand-ins for the packages: a token is a letter or a digit, and each has a vector of its own."""

METHODS = ["encoder", "majority", "pte_auto_encoder"]
SHARE = "results/scores/tiny-labelled50-seed1/{method}/{protocol}/seed1.json"


@pytest.fixture
def packages(tmp_path):
    folder = tmp_path / "packages"
    folder.mkdir()
    for name, source in PACKAGES.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    return str(folder)


@pytest.fixture
def encoded(finished, tmp_path):
    """A checkout with an encoder, and with a table of its rows."""
    copy = finished.copy(tmp_path)
    model = copy.folder / "model"
    model.mkdir()
    (model / "model.onnx").touch()
    (model / "tokenizer.json").touch()

    def change(values):
        values["encoder"] = str(model)
        table = {"corpora": ["tiny"], "caption": "Tiny documents", "methods": METHODS, "seeds": 1}
        values["tables"] = {"quickstart": table}

    copy.rewrite("config.yaml", change)
    return copy


def test_an_encoder_reads_a_corpus_once_and_has_its_rows(encoded, packages):
    shares = [SHARE.format(method="encoder", protocol="chosen")]
    shares += [SHARE.format(method="pte_auto_encoder", protocol="paper")]
    encoded.succeeds("quickstart", *shares, PYTHONPATH=packages)
    results = encoded.folder / "results"
    table = encoded.rows("tables/quickstart.csv")
    rows = {row["method"]: float(row["chosen_micro_mean"]) for row in table}
    assert sorted(rows) == METHODS
    assert min(rows["encoder"], rows["pte_auto_encoder"]) > rows["majority"] + 20
    page = (results / "quickstart.html").read_text("utf-8")
    assert "encode documents with an encoder" in page and "PTE(auto) with encoder" in page
    logs = list((encoded.folder / "logs" / "encode_texts").iterdir())
    assert [path.name for path in logs] == ["tiny.log"]
    assert "has read 120 documents" in logs[0].read_text("utf-8")
    few = read_json(encoded.folder / SHARE.format(method="pte_auto_encoder", protocol="paper"))
    assert few["pool"]["weights"]["encoder"] > 1
