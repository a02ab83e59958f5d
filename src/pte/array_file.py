"""Zip files of arrays and facts: models, trials, neighbours, published runs.

What a file holds is checked when it is opened: it takes no more memory than the file itself says,
and every number is finite. Whoever reads it then asks for each array by its name, type and shape.
"""

import json
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pte.bounds import allowed
from pte.errors import PteError, shortened

LARGEST = 1e15
"""Numbers of arrays are smaller; sums of squares of larger ones would not be finite in float32."""

DEEPEST = 60
"""How deeply the facts of a file may be nested."""

DAMAGE = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, RuntimeError, OverflowError),
    *(MemoryError, SyntaxError, struct.error, zipfile.BadZipFile, zlib.error, TokenError),
)
"""The errors of numpy, zipfile and json for a damaged file."""

_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SURROGATES = (0xD800, 0xDFFF)


@dataclass(frozen=True)
class ArrayFile:
    """Arrays by name, and facts, as a file has them; each is checked when it is asked for.

    Shapes name their lengths, such as ("words", "dim"); `lengths` has the lengths that are known,
    with which all others must agree. `asked` has the names that were asked for. `remedy` ends the
    messages. All names begin with `beginning`.
    """

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
        """Return an array; `dtype` is a name of numpy, or the letters of the kinds that it may be.

        Raises `PteError` if it is not there, or if its type or its shape is another.
        """
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
        names = {n: m for n, m in zip(shape, found.shape, strict=True) if isinstance(n, str)}
        self.lengths.update(names)
        return found

    def numbers(self, name: str, below: int, *shape: str | int) -> NDArray[Any]:
        """Return an array of whole numbers from 0 on, all `below` a bound. Raises `PteError`."""
        found = self.array(name, "i u", *shape)
        if found.size and not 0 <= found.min() <= found.max() < below:
            raise self.fault(f"a number of {name} is not in 0 … {below - 1}")
        return found

    def distinct(self, name: str, below: int, length: str | int) -> NDArray[Any]:
        """Return what `numbers` returns, and no number is there twice. Raises `PteError`."""
        found = self.numbers(name, below, length)
        if np.unique(found).size != found.size:
            raise self.fault(f"a number of {name} is there twice")
        return found

    def fact(self, name: str, form: Any) -> Any:
        """Return a fact of a form that `has_form` knows. Raises `PteError` if it has another."""
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


def read_array_file(path: str | Path, facts: str | None, remedy: str) -> ArrayFile:
    """Read a zip of arrays, as `numpy.savez` writes it, and the member `facts`, which is JSON.

    Nothing is allocated before its size is known to be that of the file: the members of a file that
    is not compressed are no longer than the file, and those of a compressed one are bounded by
    `pte.bounds`. Raises `PteError` for a file that is missing or damaged, for a number that is not
    finite, and for Python objects.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = _checked(archive, path)
            known = parsed(_text(archive, infos, facts)) if facts else {}
            arrays = {
                name.removesuffix(".npy"): _array(archive, info)
                for name, info in infos.items()
                if name != facts
            }
    except FileNotFoundError:
        raise PteError(f"{path}: no such file") from None
    except DAMAGE as error:
        why = str(error).partition("\n")[0] or type(error).__name__
        raise PteError(f"{path}: {why}; {remedy}") from None
    if not isinstance(known, dict):
        raise PteError(f"{path}: its facts are {shortened(known)}, not an object; {remedy}")
    return ArrayFile(path, arrays, known, remedy)


def read_facts(path: str | Path, name: str) -> Any:
    """Return the member `name` alone, which is JSON. Raises an error of `DAMAGE`."""
    with zipfile.ZipFile(path) as archive:
        return parsed(_text(archive, _checked(archive, Path(path)), name))


def write_array_file(
    path: Path, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], name: str
) -> None:
    """Write arrays and, as the member `name`, facts; `read_array_file` reads them."""
    given: dict[str, Any] = dict(arrays)
    with path.open("wb") as file:
        np.savez(file, **given)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, json.dumps(facts))


def parsed(text: bytes) -> Any:
    """Return the value of a JSON text.

    Raises `ValueError` for a text that is not JSON, that has NaN or infinity, or text that cannot
    be written again, and for one that is nested more than `DEEPEST`.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    level, depth = [value], 0
    while level := [x for each in level for x in _inside(each)]:
        depth += 1
        if depth > DEEPEST:
            raise ValueError("its JSON is nested too deeply")
    json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return value


def has_form(value: Any, form: Any) -> bool:
    """Return whether a value of JSON has a form.

    A form is a type, where `float` means any finite number; a range of whole numbers; None; [form]
    for a list; {key: form} for an object that has these keys; or a tuple of forms, of which one
    must fit.
    """
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


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"its JSON has {name}, which is no number")


def _checked(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name.

    Raises `ValueError` if they are not what numpy writes, or too large.
    """
    infos = archive.infolist()
    if len({info.filename for info in infos}) < len(infos):
        raise ValueError("two members have one name")
    if strange := [info.filename for info in infos if info.compress_type not in _PACKED]:
        raise ValueError(f"{strange[0]} is compressed in an unknown way")
    packed = any(info.compress_type != zipfile.ZIP_STORED for info in infos)
    most = allowed(path) if packed else path.stat().st_size
    if sum(info.file_size for info in infos) > most:
        raise ValueError(f"its members are longer than {most:,} bytes together")
    return {info.filename: info for info in infos}


def _text(archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], name: str) -> bytes:
    if name not in infos:
        raise ValueError(f"it has no {name}")
    return archive.read(infos[name])


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array; raises `ValueError` if it is not as long as it says, or not of numbers."""
    with archive.open(info) as member:
        check_header(member, info.file_size)
    with archive.open(info) as member:
        found: NDArray[Any] = npy.read_array(member, allow_pickle=False)
        member.read(1)  # at its end, the checksum is compared
    if fault := fault_in(found):
        raise ValueError(f"{info.filename}: {fault}")
    return found


def check_header(file: IO[bytes], size: int) -> None:
    """Read the header of an array at the beginning of a file, before the array is allocated.

    Raises `ValueError` if header and array do not take `size` bytes, and if the array does not hold
    numbers or texts in the order of this machine's bytes.
    """
    version = npy.read_magic(file)
    if version not in _HEADERS:
        raise ValueError(f"an array has version {version} of numpy's format")
    shape, _, dtype = _HEADERS[version](file)
    if dtype.kind not in "biufUS" or not (dtype.itemsize and dtype.isnative):
        raise ValueError(f"an array has the type {dtype}")
    length = size - file.tell()
    if math.prod(shape) * dtype.itemsize != length or any(not 0 <= n <= size for n in shape):
        raise ValueError(f"an array of shape {shape} is not as long as its header says")


def fault_in(array: NDArray[Any]) -> str | None:
    """Return what is wrong with the values of an array: numbers that are not finite, or no text."""
    if not array.size:
        return None
    if array.dtype.kind == "f" and not -LARGEST < array.min() <= array.max() < LARGEST:
        return "a number is not finite, or too large"  # the least of numbers with NaN is NaN
    if array.dtype.kind == "U":
        codes = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
        low, high = _SURROGATES
        if (codes > 0x10FFFF).any() or ((codes >= low) & (codes <= high)).any():
            return "it holds what is no text"
    return None
