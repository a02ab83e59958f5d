"""A method, a network, a corpus with its reader, and a claim, from outside the tree."""

import re

import numpy as np
import pytest

from pte.corpora.document import Document
from pte.corpora.encode_entry import documents_sha256
from pte.corpora.encoded import TEST, TRAIN
from pte.errors import PteError

LAST_CLASS = """
import numpy as np

from pte.corpora.encoded import TEST
from pte.training.contract import Fitted, Spec, Task

SPEC = Spec(yields="predictions", options={"which": {"type": "integer"}}, seeded=False)


def fit(task: Task) -> Fitted:
    documents = task.corpus.documents(TEST)
    return Fitted(np.full(documents.size, task.options["which"], np.int32), seconds=0.5)
"""

MOVED = """
import numpy as np

from pte.networks.bipartite import Network
from pte.training.contract import Fitted, Spec, Task

SPEC = Spec(
    yields="words",
    options={"graph": {"type": "string"}, "after": {"type": "string"}},
    required=("graph", "after"),
    networks=lambda options: (options["graph"],),
    needs=lambda options: {"given": options["after"]},
    memory=lambda size: 4 * size.words * size.dim,
)


def fit(task: Task) -> Fitted:
    edges = Network.load(task.inputs[task.options["graph"]])
    return Fitted(np.load(task.inputs["given"]) + np.float32(edges.n_edges), seconds=0.5)
"""

INITIALS = '''
import numpy as np

from pte.networks.bipartite import Network
from pte.networks.contract import NetworkSpec
from pte.networks.sampling import StoredEdges

SPEC = NetworkSpec(labels=False, window=False)


def build(corpus, window, memory=0, threads=1):
    """Words that start with the same letter share a source."""
    letters = sorted({word[:1] for word in corpus.words})
    sources = [letters.index(word[:1]) for word in corpus.words]
    words = np.arange(corpus.n_words)
    return Network.from_edges(sources, words, np.ones(words.size), len(letters), words.size)


def stream(corpus, window):
    return StoredEdges(build(corpus, window))


def tokens(corpus):
    return None
'''

COLONS = """
from pte.corpora.document import PARTS, Document


def read(path, labelled):
    for line in path.read_bytes().splitlines():
        part, label, text = line.split(b":")
        yield Document(text, label.decode() if labelled else None, PARTS[part.decode()])
"""

METHODS = """
last:
  label: The last class
  group: control
  model: last_class
  which: 1
initials:
  label: PTE(initials+Gwl)
  group: extra
  model: network_embedding
  phases: [[initials, wl]]
moved:
  label: Moved vectors
  group: extra
  model: moved_vectors
  graph: initials
  after: initials
"""

CORPORA = """
archives:
  toy: {{file: toy.txt, version: "1", urls: [], sha256: null, size: null, licence: x, citation: x}}
corpora:
  toy:
    title: Toy documents
    archive: toy
    reader: colons
    options: {{labelled: true}}
    tokeniser: whitespace
    split: {{rule: distributed}}
    table1: {{row: null, match: none, why: made up}}
    documents_sha256: "{digest}"
"""

CLAIMS = """
claims:
  far:
    section: "5"
    quotation: far better
    left: initials
    right: [last]
    relation: above
    corpora: [toy]
"""


@pytest.fixture
def plugged(checkout, tmp_path):
    """A checkout whose configuration names a folder of plugins beside it."""
    copy = checkout.copy(tmp_path)
    lines, documents = [], []
    for i in range(60):
        part, label = ("test", "train")[i % 3 > 0], "ab"[i % 2]
        text = f"{label}{i % 5} {label}{i % 7} other{i % 11}"
        lines.append(f"{part}:{label}:{text}\n")
        documents.append(Document(text.encode(), label, {"train": TRAIN, "test": TEST}[part]))
    archive = copy.mirror / "toy.txt"
    archive.write_text("".join(lines), "utf-8")
    copy.listed(archive)
    folder = tmp_path / "plugins"
    folder.mkdir()
    files = {
        "last_class.py": LAST_CLASS,
        "moved_vectors.py": MOVED,
        "initials.py": INITIALS,
        "colons.py": COLONS,
        "methods.yaml": METHODS,
        "corpora.yaml": CORPORA.format(digest=documents_sha256(documents)),
        "claims.yaml": CLAIMS,
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    table = {"corpora": ["toy"], "caption": "Toy documents"}
    changes = {
        "plugins": [str(folder)],
        "tables": {"quickstart": table},
        "methods": ["initials", "last", "moved"],
        "samples": {"toy": 20_000},
        "curves": {},
    }
    copy.rewrite("config.yaml", lambda config: config.update(changes))
    copy.rewrite("workflow/registry/claims.yaml", lambda value: value.update(claims={}))
    return copy, folder


@pytest.mark.long
def test_each_gets_its_row_its_point_and_its_verdict(plugged):
    checkout, folder = plugged
    checkout.succeeds("quickstart", "claims")
    results = checkout.folder / "results"
    rows = {row["method"]: row for row in checkout.rows("tables/quickstart.csv")}
    assert rows.keys() == {"initials", "last", "moved"}
    assert float(rows["last"]["micro_mean"]) == 50
    assert float(rows["initials"]["micro_mean"]) > 90
    figure = (results / "figures/quickstart.svg").read_text("utf-8")
    assert "The last class" in figure and "PTE(initials+Gwl)" in figure
    first, moved = (
        np.load(results / f"representations/toy/{name}/paper/seed1.npy")
        for name in ("initials", "moved")
    )
    assert (moved - first > 1).all()
    verdicts = {row["verdict"] for row in checkout.rows("claims/claims.csv")}
    assert verdicts == {"reproduced"}
    assert "How many sentences of the plugin plugins" in (results / "claims/claims.md").read_text(
        "utf-8"
    )
    assert checkout.plan("quickstart", "claims") == {}
    alone = "results/claims/alone/far.csv"
    assert checkout.plan(alone) == {"claim": 1}
    checkout.succeeds(alone)
    expected = (results / "claims/claims.csv").read_text("utf-8")
    assert (checkout.folder / alone).read_text("utf-8") == expected

    # An edit of a plugin makes again what depends on it, and nothing else.
    plugin = folder / "last_class.py"
    plugin.write_text(plugin.read_text("utf-8").replace("seconds=0.5", "seconds=0.25"), "utf-8")
    plan = checkout.plan("quickstart", "claims")
    assert plan["represent"] == 1 and plan["score"] == 2
    assert not plan.keys() & {"encode", "network"}


def rewritten(name, old, new):
    """An edit of a file of the plugin."""

    def change(checkout, folder):
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), "utf-8")

    return change


MISTAKES = {
    "an option that the reader does not take": (
        rewritten("corpora.yaml", "{labelled: true}", "{labeled: true}"),
        "plugins/corpora.yaml: corpora.toy: reader colons: missing a required argument: 'labelled'",
    ),
    "an unknown key": (
        rewritten("methods.yaml", "which: 1", "which: 1\n  what: 2"),
        "plugins/methods.yaml: last: unknown key 'what'",
    ),
    "no such folder": (
        lambda checkout, folder: checkout.rewrite(
            "config.yaml", lambda config: config.update(plugins=["nowhere"])
        ),
        "config.yaml: plugins: nowhere: there is no such folder",
    ),
    "a module of ours": (
        lambda checkout, folder: (folder / "nb_em.py").write_text("", "utf-8"),
        "nb_em.py: pte.models has a module nb_em already; choose another name",
    ),
    "no fit": (
        lambda checkout, folder: (folder / "last_class.py").write_text("", "utf-8"),
        "methods.yaml: last.model: last_class: the module has no SPEC and fit, so it is no method",
    ),
    "a broken module": (
        lambda checkout, folder: (folder / "last_class.py").write_text("1 / 0\n", "utf-8"),
        "last_class.py, line 1: ZeroDivisionError: division by zero",
    ),
    "a wrong SPEC": (
        lambda checkout, folder: (folder / "last_class.py").write_text(
            LAST_CLASS.replace('"predictions"', '"prediction"'), "utf-8"
        ),
        "SPEC: yields is 'prediction'; it must be one of words, documents, predictions, features",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_error(plugged, loads, mistake):
    checkout, folder = plugged
    change, message = MISTAKES[mistake]
    change(checkout, folder)
    with pytest.raises(PteError, match=re.escape(message)):
        loads(checkout)
