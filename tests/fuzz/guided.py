"""Coverage-guided inputs for one reader: `python tests/fuzz/guided.py csv 60` tries for 60 seconds.

It needs atheris (`pip install atheris`), which is not installed with the project. A fault ends it
with the input in a file `crash-…`.
"""

import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pte", "targets"]):
    from targets import TARGETS

from inputs import check


def main() -> None:
    name, seconds = sys.argv[1], sys.argv[2]
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        file, corpus = Path(folder, target.file), Path(folder, "corpus")
        corpus.mkdir()
        (corpus / "whole").write_bytes(target.whole)

        def each(content: bytes) -> None:
            file.write_bytes(content)
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                check(name, lambda: target.read(file))

        options = [f"-max_total_time={seconds}", "-max_len=20000", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *options, str(corpus)], each)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
