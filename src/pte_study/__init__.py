"""The study of the paper: what is run, what is kept, what is shown.

It imports `pte`, never the reverse, and computes no vector and no score itself.
"""

from importlib.util import find_spec

_NEEDED = ("jinja2", "jsonschema", "liblinear", "matplotlib", "pandas", "requests", "yaml")

if _MISSING := [name for name in _NEEDED if find_spec(name) is None]:
    raise ModuleNotFoundError(
        f"pte_study needs {', '.join(_MISSING)}; in a clone of the repository, `make run` or "
        'pip install --editable ".[workflow]" brings them'
    )
