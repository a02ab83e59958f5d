"""Zip files of arrays and facts, as `numpy.savez` writes them, checked when they are opened."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pte.errors import PteError, shortened

LARGEST = 1e15  # larger ones, squared and summed, are not finite in float32

DAMAGE = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, RuntimeError, OverflowError),
    *(MemoryError, SyntaxError, struct.error, zipfile.BadZipFile, zlib.error, TokenError),
)
"""The errors of numpy, zipfile and json for a damaged file."""

_DEEPEST = 60


@dataclass(frozen=True)
class ArrayFile:
    """A file's arrays and facts, checked when asked for; `lengths` has known lengths of shapes."""

    path: Path
    content: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]
    remedy: str
    beginning: str = ""
    lengths: dict[str, int] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays, by their names without `beginning`."""
        start = self.beginning
        return {k.removeprefix(start): v for k, v in self.content.items() if k.startswith(start)}

    def __contains__(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return self.beginning + name in self.content

    def array(self, name: str, dtype: str, *shape: str | int) -> NDArray[Any]:
        """Return an array; `dtype` is a name of numpy, or the letters of the kinds it may be."""
        name = self.beginning + name
        self.asked.add(name)
        found = self.content.get(name)
        if found is None:
            raise self.fault(f"it has no array {name}")
        if found.dtype.name != dtype and found.dtype.kind not in dtype.split():
            raise self.fault(f"the numbers of {name} are {found.dtype.name}, not {dtype}")
        wanted = [self.lengths.get(n, n) if isinstance(n, str) else n for n in shape]
        agree = zip(found.shape, wanted, strict=False)
        if found.ndim != len(shape) or any(isinstance(n, int) and n != m for m, n in agree):
            said = " × ".join(map(str, wanted)) or "one number"
            raise self.fault(f"the shape of {name} is {found.shape}, not {said}")
        named = zip(shape, found.shape, strict=True)
        self.lengths.update({n: m for n, m in named if isinstance(n, str)})
        return found

    def numbers(self, name: str, below: int, *shape: str | int) -> NDArray[Any]:
        """Return an array of whole numbers from 0 on, all `below` a bound."""
        found = self.array(name, "i u", *shape)
        if found.size and not 0 <= found.min() <= found.max() < below:
            raise self.fault(f"a number of {name} is not in 0 … {below - 1}")
        return found

    def distinct(self, name: str, below: int, length: str | int) -> NDArray[Any]:
        """Return what `numbers` returns, and no number is there twice."""
        found = self.numbers(name, below, length)
        if np.unique(found).size != found.size:
            raise self.fault(f"a number of {name} is there twice")
        return found

    def fact(self, name: str, form: Any) -> Any:
        """Return a fact of a form that `has_form` knows."""
        if name not in self.facts or not has_form(self.facts[name], form):
            found = f"is {shortened(self.facts[name])}" if name in self.facts else "is not there"
            raise self.fault(f"its {name!r} {found}")
        return self.facts[name]

    def part(self, beginning: str, facts: Any = None) -> "ArrayFile":
        """Return the arrays whose names go on with this beginning; lengths are shared."""
        facts = self.facts if facts is None else facts
        return replace(self, beginning=self.beginning + beginning, facts=facts)

    @property
    def strange(self) -> list[str]:
        """The names of the arrays that nobody has asked for."""
        return sorted(self.content.keys() - self.asked)

    def fault(self, what: str) -> PteError:
        """Return the error that says what is wrong with the file."""
        return PteError(f"{self.path}: {what}; {self.remedy}")

    @contextmanager
    def named(self) -> Iterator[None]:
        """Let each `PteError` of the block name the file."""
        try:
            yield
        except PteError as error:
            if str(error).startswith(str(self.path)):
                raise
            raise self.fault(str(error)) from None


def read_array_file(path: str | Path, facts: str | None, remedy: str, ratio: int = 1) -> ArrayFile:
    """Read arrays and the JSON `facts`; they hold at most `ratio` times the bytes of the file."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = _checked(archive, ratio * path.stat().st_size)
            known = parsed(archive.read(infos.pop(facts))) if facts else {}
            arrays = {name.removesuffix(".npy"): _array(archive, name) for name in infos}
    except FileNotFoundError:
        raise PteError(f"{path}: no such file") from None
    except DAMAGE as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise PteError(f"{path}: {why}; {remedy}") from None
    if not isinstance(known, dict):
        raise PteError(f"{path}: its facts are {shortened(known)}, not an object; {remedy}")
    return ArrayFile(path, arrays, known, remedy)


def read_facts(path: Path, name: str) -> Any:
    """Return the member `name` alone, which is JSON."""
    with zipfile.ZipFile(path) as archive:
        return parsed(archive.read(_checked(archive, path.stat().st_size)[name]))


def write_array_file(
    path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], name: str
) -> None:
    """Write arrays and, as the member `name`, facts; `read_array_file` reads them."""
    given: dict[str, Any] = dict(arrays)
    with path.open("wb") as file:
        np.savez(file, **given)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, json.dumps(facts))


def _checked(archive: zipfile.ZipFile, most: int) -> dict[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    if len({info.filename for info in infos}) < len(infos):
        raise ValueError("two members have one name")
    if sum(info.file_size for info in infos) > most:
        raise ValueError(f"its members are longer than {most:,} bytes together")
    return {info.filename: info for info in infos}


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with archive.open(name) as member:
        found: NDArray[Any] = npy.read_array(member, allow_pickle=False)
        if member.read(1):  # at its end, the checksum is compared
            raise ValueError(f"{name}: it is longer than its header says")
    if found.dtype.kind not in "biufUS" or not found.dtype.isnative:
        raise ValueError(f"{name}: an array has the type {found.dtype}")
    is_real = found.size > 0 and found.dtype.kind == "f"
    if is_real and not -LARGEST < found.min() <= found.max() < LARGEST:  # NaN is the least
        raise ValueError(f"{name}: a number is not finite, or too large")
    if found.dtype.kind == "U":
        "".join(found.ravel().tolist()).encode()
    return found


def parsed(text: bytes) -> Any:
    """Return the value of a JSON text, without NaN, deep nesting, and what is no text."""

    def refuse(name: str) -> Any:
        raise ValueError(f"its JSON has {name}, which is no number")

    deep = ValueError("its JSON is nested too deeply")
    try:
        value = json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise deep from None
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_DEEPEST):
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [one for all in inside for one in all if isinstance(one, dict | list)]
    if level:
        raise deep
    json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return value


def has_form(value: Any, form: Any) -> bool:
    """Return whether JSON fits a type, range, None, [form], {key: form}, or one of a tuple."""
    if isinstance(form, tuple):
        return any(has_form(value, each) for each in form)
    if isinstance(form, list):
        return isinstance(value, list) and all(has_form(each, form[0]) for each in value)
    if isinstance(form, dict):
        here = isinstance(value, dict) and form.keys() <= value.keys()
        return here and all(has_form(value[key], each) for key, each in form.items())
    if isinstance(form, range):
        return type(value) is int and value in form
    if form is float:
        return type(value) in (int, float) and -LARGEST < value < LARGEST
    return value is None if form is None else type(value) is form
