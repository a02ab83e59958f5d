"""The help of the public classes is complete, in NumPy's form, and its examples run."""

import doctest
import inspect
import re
from ast import literal_eval
from functools import cached_property
from importlib import import_module

import pytest

import pte
from pte.classify.base import TextEmbedding

CLASSES = [it for name in pte.__all__ if inspect.isclass(it := getattr(pte, name))]
TAUGHT = [it for it in CLASSES if not issubclass(it, Exception)]
ESTIMATORS = [it for it in TAUGHT if issubclass(it, TextEmbedding)]
SHARED = inspect.signature(TextEmbedding.__init__).parameters.keys() - {"self", "window"}
"""Parameters that do the same in all estimators; a window is another thing in each."""
TEXTS = ["the team won the match", "the striker scored a goal", "the bank cut its rate"] * 5
LABELS = ["sport", "sport", "money"] * 5
ERRORS = {"BadInput", "NotFittedError", "PteError", "UnknownKey", "ValueError"}
FEW = {"samples": 800, "samples_limit": 800, "epochs": 1, "dim": 8, "threads": 1}


def sections(it: object) -> dict[str, str]:
    """The sections of a docstring by their titles."""
    parts = re.split(r"^([A-Z][\w ]+)\n-{3,}\n", inspect.getdoc(it) or "", flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def items(it: object, title: str) -> dict[str, tuple[str, str]]:
    """The type and the description of each item of a section, by its name."""
    found = {}
    for names, kind, told in re.findall(
        r"^(\S.*?) : (.+)\n((?:(?: .*)?\n?)*)", sections(it).get(title, ""), flags=re.M
    ):
        found |= {name: (kind, " ".join(told.split())) for name in names.split(", ")}
    return found


def methods(it: type) -> list[object]:
    """The public methods that this project defines; scikit-learn tells about its own."""
    found = [getattr(it, name) for name in dir(it) if name == "__getitem__" or name[0] != "_"]
    return [m for m in found if inspect.isroutine(m) and (m.__module__ or "").startswith("pte.")]


def called(it: object) -> str:
    return it.__qualname__


METHODS = {called(method): method for it in TAUGHT for method in methods(it)}.values()


@pytest.mark.parametrize("it", TAUGHT, ids=called)
def test_every_parameter_is_told_with_its_type_and_default(it):
    parameters, told = inspect.signature(it).parameters, items(it, "Parameters")
    assert told.keys() == parameters.keys()
    for name, parameter in parameters.items():
        kind, description = told[name]
        _, is_told, default = kind.partition(", default=")
        assert is_told or parameter.default is inspect.Parameter.empty, name
        assert not is_told or literal_eval(default) == parameter.default, name
        assert description.endswith("."), name


@pytest.mark.parametrize("it", ESTIMATORS, ids=called)
def test_a_parameter_of_all_estimators_is_told_in_the_same_words(it):
    told, of_pte = items(it, "Parameters"), items(pte.PTE, "Parameters")
    same = of_pte if issubclass(it, pte.PTE) else SHARED
    assert {name: told[name] for name in same} == {name: of_pte[name] for name in same}


@pytest.mark.parametrize("it", ESTIMATORS, ids=called)
def test_every_fitted_attribute_is_told(it):
    given = {name: FEW[name] for name in FEW.keys() & inspect.signature(it).parameters}
    model = it(**given).fit(TEXTS, LABELS)
    fitted = {name for name in vars(model) if name[0] != "_" and name not in model.get_params()}
    assert set(items(it, "Attributes")) == fitted


def test_every_property_of_keyed_vectors_is_told():
    kinds = (property, cached_property)
    found = {n for n, it in vars(pte.KeyedVectors).items() if isinstance(it, kinds) and n[0] != "_"}
    assert set(items(pte.KeyedVectors, "Attributes")) == found


@pytest.mark.parametrize("method", METHODS, ids=called)
def test_every_method_tells_what_it_takes_and_returns(method):
    signature = inspect.signature(method)
    assert set(items(method, "Parameters")) == signature.parameters.keys() - {"self"}
    returns = signature.return_annotation not in (None, "None")
    assert returns == bool(sections(method).keys() & {"Returns", "Yields"})


@pytest.mark.parametrize("it", [*CLASSES, *METHODS], ids=called)
def test_names_that_help_refers_to_exist(it):
    for name in items(it, "See Also"):
        module, _, last = name.rpartition(".")
        assert hasattr(import_module(module), last), name
    for name in re.findall(r"^(\w+)$", sections(it).get("Raises", ""), flags=re.M):
        assert name in ERRORS, name


@pytest.mark.parametrize("it", CLASSES, ids=called)
def test_the_example_of_a_class_prints_what_it_shows(it):
    shown = doctest.DocTestFinder(recurse=False).find(it, globs={})
    assert shown[0].examples
    assert not doctest.DocTestRunner().run(shown[0]).failed
