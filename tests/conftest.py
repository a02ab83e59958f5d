"""What all tests share: one cache of kernels, repeatable hypothesis runs, a tiny corpus."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# Where the workflow keeps compiled kernels, too.
os.environ.setdefault(
    "NUMBA_CACHE_DIR", str(Path(__file__).resolve().parents[1] / "resources" / "numba")
)

# Before any import of scikit-learn, whose OpenMP reads it: threads of several processes of tests
# would wait for one another, and waiting takes the processor.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("pte", deadline=None, derandomize=True)
settings.load_profile("pte")

TOPICS = ("arts", "law", "sports")
WORDS_OF_A_DOCUMENT = 12


def pytest_configure(config):
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        # numpy warns where scalars wrap around or overflow; compiled code does so silently.
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")


@pytest.fixture(autouse=True)
def own_environment():
    """What a test leaves in the environment is not there for the next."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(autouse=True)
def short_cnns(monkeypatch):
    """CNNs are trained with a few short epochs, except by tests that give other settings."""
    from pte.models import cnn

    monkeypatch.setattr(cnn, "STEPS", 20)
    monkeypatch.setattr(cnn, "KIM", replace(cnn.KIM, epochs=10, maps=32))


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """A folder of plugins."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PTE_PLUGINS", str(tmp_path))
    return tmp_path


@pytest.fixture
def svg_alone(monkeypatch):
    """Figures are saved as SVG and nothing else: a PDF takes longer than all the drawing."""
    from pte_study.render import figures

    monkeypatch.setattr(figures, "METADATA", {"svg": figures.METADATA["svg"]})


@pytest.fixture
def drawn(monkeypatch):
    """The figures that are saved; their files hold nothing."""
    from matplotlib.figure import Figure

    figures = []

    def keep(figure, path, **_):
        if figure not in figures:  # it is saved in three formats
            figures.append(figure)
        path.write_text("<svg ></svg>", "utf-8")

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures


@pytest.fixture(scope="session")
def documents():
    """45 training documents (9 unlabelled, 1 empty) and 24 test documents on three topics.

    Half of a document's words are of its topic; only unlabelled documents hold the word "rumour".
    """
    from pte.corpora.document import Document
    from pte.corpora.encoded import TEST, TRAIN

    rng = np.random.default_rng(7)

    def text(topic):
        own = [b"%s%d" % (topic.encode(), i) for i in range(10)]
        common = [b"common%d" % i for i in range(20)]
        pools = [own if rng.random() < 0.5 else common for _ in range(WORDS_OF_A_DOCUMENT)]
        return [pool[int(rng.integers(len(pool)))] for pool in pools]

    made = []
    for i in range(68):
        topic = TOPICS[i % 3]
        part, label = (TRAIN, topic) if i < 35 else (TRAIN, None) if i < 44 else (TEST, topic)
        words = text(topic) + ([b"rumour"] if label is None else [])
        made.append(Document(b" ".join(words), label, part))
    made.insert(20, Document(b"", "law", TRAIN))
    return made


@pytest.fixture(scope="session")
def corpus(documents):
    from pte.corpora.encode import encode
    from pte.corpora.tokenise import whitespace

    return encode(documents, whitespace)


@pytest.fixture(scope="session")
def networks(corpus):
    from pte.networks import named

    return {name: named.build(name, corpus, 5) for name in ("ww", "wd", "wl")}
