"""The rules as Snakemake's linter and formatter want them."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_one_file_alone_says_what_runs_at_the_start():
    """Of several `onstart`, Snakemake silently keeps the last."""
    files = [
        ROOT / "Snakefile",
        ROOT / "workflow" / "Snakefile",
        *(ROOT / "workflow" / "rules").glob("*.smk"),
    ]
    assert sum(file.read_text("utf-8").count("\nonstart:") for file in files) == 1
