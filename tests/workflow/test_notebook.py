"""The notebook explore.ipynb runs on what a run has made; tests/notebooks has the others."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore.ipynb"


@pytest.fixture
def notebook():
    return nbformat.read(NOTEBOOK, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook, kind):
    """What code cells show, of one media type."""
    shown = [output for cell in code_cells(notebook) for output in cell.outputs]
    return [output.data[kind] for output in shown if kind in output.get("data", {})]


def files(folder):
    """Every file of a run and when it was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_it_shows_figures_and_tables_and_changes_nothing(notebook, finished, tmp_path):
    """Also in a folder of the checkout that is not its root, and where no seed is 1."""
    folder, kept = finished.copy(tmp_path).folder, ("results", "resources/corpora")
    (folder / "config.yaml").write_text("seeds: [7, 2]\n")
    for file in (folder / "results").rglob("seed1.*"):
        file.rename(file.with_stem("seed7"))
    before = [files(folder / name) for name in kept]
    own = {"PYTHONPATH": str(finished.source), "IPYTHONDIR": str(tmp_path / "ipython")}
    resources = {"metadata": {"path": str(folder / "workflow")}}
    client = NotebookClient(notebook, timeout=300, resources=resources)
    done = client.execute(env=os.environ | own)
    assert not [each for cell in code_cells(done) for each in cell.outputs if "ename" in each]
    assert len(outputs(done, "image/png")) == 2
    tables = outputs(done, "text/html")
    assert len(tables) == 5
    assert "PTE(joint)" in tables[0] and "c2w" in tables[3]
    assert [files(folder / name) for name in kept] == before


def test_without_a_run_it_says_what_to_do(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = code_cells(notebook)[0].source.removeprefix("%matplotlib inline\n")
    with pytest.raises(FileNotFoundError, match=r"quickstart\.csv is missing: run `make run`"):
        exec(first, {})
