"""What any Python must do that the library is installed in alone: fit, save, load, predict."""

import sys
import tempfile
from pathlib import Path

import pte

TEXTS = ["a goal in the match", "the match ended", "shares of a bank", "a bank rate rose"] * 4
LABELS = ["sport", "sport", "money", "money"] * 3 + [None] * 4
QUICK = {"dim": 8, "threads": 1, "random_state": 1}

for model in (
    pte.PTEClassifier(samples=10_000, C=100, **QUICK),
    pte.TextClassifier(method="bow", **QUICK),
    pte.TextClassifier(method="nb_em", **QUICK),
    pte.TextClassifier(method="pte_joint", samples=10_000, **QUICK),
):
    with tempfile.TemporaryDirectory() as folder:
        model.fit(TEXTS, LABELS).save(Path(folder, "model.npz"))
        again = pte.load(Path(folder, "model.npz"))
    found = again.predict(["goal of the match", "shares of the bank"]).tolist()
    print(sys.version.split()[0], model, found)
    assert found == ["sport", "money"]
