"""Every option and parameter that takes a number refuses an absurd one, or works with it."""

import inspect
from contextlib import suppress

import click
import numpy as np
import pytest
from click.testing import CliRunner
from inputs import bounded, check, tried
from sklearn.base import BaseEstimator
from test_forged_models import LABELS, QUICK, TEXTS

import pte
from pte.command.main import app

ABSURD = (0, -1, 1.5, 5e-324, 1e308, np.nan, np.inf, -np.inf, 10**30, 2**63, 2**31, True, 1j)
STRANGE = (*ABSURD, "", "x", None, [1], {"a": 1}, np.int64(-1), np.float32(np.nan))
TYPED = (*map(str, ABSURD), "", "1e3", "1_0", "٣", "0x10", "-0.0", " 5")
FAST = {"samples": 3000, "samples_limit": 3000, "epochs": 2, "method": "pte_joint", "n_splits": 2}
CLASSES = [
    name
    for name in pte.__all__
    if inspect.isclass(getattr(pte, name)) and name not in ("PteError", "KeyedVectors")
]
WORKS = ["negatives=0", "samples=2147483648"]
"""Values that are no absurd ones: they only take long, to compile or to train."""

COMMANDS = {
    "evaluate": "{text} --method bow --folds 2 --jobs 1",
    "fit": "{text} --method pte-joint --samples 3000 --dim 8 --threads 1 --output {output}",
    "predict": "{model} {text}",
    "explain": "{model} team",
    "neighbours": "{model} team",
}


def of_each():
    """The parameters to try of each class: those that no larger class with its base has."""
    known = {name: set(inspect.signature(getattr(pte, name)).parameters) for name in CLASSES}
    found, seen = {}, {}
    for name in sorted(known, key=lambda name: len(known[name]), reverse=True):
        kind = getattr(pte, name)
        bases = (pte.LINE, pte.TextClassifier, BaseEstimator)
        base = next((each for each in bases if issubclass(kind, each)), kind)
        before = seen.setdefault(base, set())
        found[name] = sorted(known[name] - before)
        before |= known[name]
    return found


def used(kind, given):
    """Make an estimator or a splitter, and let it do all that it can."""
    made = kind(**given)
    if isinstance(made, pte.LabelledFolds):
        with suppress(ValueError):  # that of scikit-learn
            return list(made.split(TEXTS * 4, LABELS * 4))
        return None
    return made.fit(TEXTS * 4, LABELS * 4).transform(TEXTS)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSES)
def test_no_parameter_breaks_a_class(name):
    kind = getattr(pte, name)
    known = inspect.signature(kind).parameters
    usual = {key: value for key, value in {**QUICK, **FAST}.items() if key in known}
    used(kind, usual)
    for key in of_each()[name]:
        for value in STRANGE:
            if f"{key}={value!r}" not in WORKS:
                check(f"parameters of {name}", lambda: used(kind, {**usual, key: value}))  # noqa: B023


@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_no_number_breaks_what_is_asked_of_vectors(value):
    vectors = pte.KeyedVectors(("a", "b"), np.eye(2, dtype=np.float32))
    check("numbers of neighbours", lambda: vectors.most_similar("a", topn=value))
    found = check("numbers of neighbours", lambda: vectors.nearest(np.ones(2), value))
    assert found is None or len(found) == min(value, 2)


def is_number(option):
    plain = (click.types.IntParamType, click.types.FloatParamType)
    return isinstance(option.type, plain) or option.type.name == "samples"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    paths = {name: folder / name for name in ("text", "model", "output")}
    paths["text"] = folder / "text.csv"
    rows = (f"{text},{label or ''}\n" for text, label in zip(TEXTS, LABELS, strict=True))
    paths["text"].write_text("text,label\n" + "".join(rows) * 4)
    model = pte.TextClassifier(method="pte_joint", samples=3000, **QUICK)
    model.fit(TEXTS * 4, LABELS * 4).save(paths["model"])
    return paths


@pytest.mark.long
def test_no_number_breaks_a_command(files):
    taking = {name: list(filter(is_number, each.params)) for name, each in app.commands.items()}
    assert {name for name, options in taking.items() if options} == COMMANDS.keys()
    for name, options in taking.items():
        for option in options:
            for value in TYPED:
                if f"{option.name}={value}" in WORKS:
                    continue
                words = [name, *COMMANDS[name].format(**files).split()]
                words += [option.opts[0], value]
                tried[f"numbers of pte {name}"] += 1
                with bounded():
                    done = CliRunner().invoke(app, words)
                assert done.exit_code in (0, 1, 2), (words, done.output, done.exception)
                if value in ("nan", "inf", "-inf", "1e+308") and option.type.name != "samples":
                    assert done.exit_code == 2 or value == "1e+308", words
