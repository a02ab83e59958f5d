"""Label propagation with local and global consistency (Zhou et al., NIPS 2003).

W joins training documents to their k neighbours in TF-IDF; labels Y spread along S = D^(−1/2) W
D^(−1/2) to F = (1 − α)(I − αS)^(−1) Y. Test documents sum up F over k neighbours, by similarity.
scikit-learn subtracts cosines from 1, whose rounding reorders them now and then: not used here.
"""

import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pte.array_file import ArrayFile, read_array_file
from pte.corpora.encoded import TEST, TRAIN, UNLABELLED, EncodedCorpus
from pte.corpora.features import tf_idf, word_rarity
from pte.corpora.subsets import labelled_documents, unlabelled_mates
from pte.errors import PteError
from pte.evaluation.evaluate import Shares
from pte.files import REMEDY, atomic_file
from pte.machine import require
from pte.training.contract import Cost, Fitted, Learnt, Options, Spec, Task, most_likely
from pte.training.search import FOLDS, Search, folds, groups_of, is_worse, search

METHOD = "label_propagation"

MOST = 100  # how many neighbours of a document are found, if there are so many documents

NEIGHBOURS = (5, 10, 20, 50, MOST)
ALPHAS = (0.1, 0.5, 0.9, 0.99)
TOLERANCE = 1e-4

SPEC = Spec(
    yields="predictions",
    choice={
        "k": {"type": "integer", "minimum": 1, "maximum": MOST},
        "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    },
    neighbours=True,
    seeded=False,
    usual=lambda options: asdict(USUAL),
    cost=lambda options: Cost(0.2, 4),
    # A document has 100 neighbours of 8 bytes, and the same neighbours in a matrix. It has up to
    # 200 neighbours of 12 bytes in the graph, and again in the scaled graph. Each fold has seven
    # float64 for each document and class.
    memory=lambda size: (
        size.documents * (8 * 2 * MOST + 12 * 4 * MOST + 8 * 7 * FOLDS * size.classes)
    ),
)


@dataclass(frozen=True)
class PropagationChoice:
    """The number k of neighbours of a document, and α, how much of its label comes from them."""

    k: int
    alpha: float


USUAL: PropagationChoice = PropagationChoice(20, 0.5)  # what a search found on R8


class _Spread(NamedTuple):
    """F, shape (training documents, classes); the shares of the classes; and how F was found."""

    f: NDArray[np.float64]
    shares: Shares
    chosen: Search[PropagationChoice]
    near: "Neighbours"
    notes: dict[str, Any]


def learn(task: Task) -> Learnt:
    """Spread labels as `fit` does: F is `spread`; keep `shares`, sparse TF-IDF and `rarity`."""
    corpus = task.corpus.of_documents(task.corpus.split == TRAIN)
    spread = _spread(replace(task, corpus=corpus))
    rare = word_rarity(corpus)
    rows = tf_idf(corpus, rare)
    arrays = {"values": rows.data, "columns": rows.indices, "starts": rows.indptr, "rarity": rare}
    arrays |= {"spread": spread.f, "shares": spread.shares}
    return Learnt(arrays, {"choice": asdict(spread.chosen.best), "notes": spread.notes})


def apply(learnt: Learnt, options: Options, corpus: EncodedCorpus) -> NDArray[np.float64]:
    """Return the `probabilities` of further documents, from their nearest training documents."""
    arrays, k = learnt.arrays, learnt.facts["choice"]["k"]
    shape = (arrays["starts"].size - 1, arrays["rarity"].size)
    among = sparse.csr_array((arrays["values"], arrays["columns"], arrays["starts"]), shape)
    near = nearest(tf_idf(corpus, arrays["rarity"]), among, k)
    return probabilities(near.matrix(k, shape[0]) @ arrays["spread"], arrays["shares"])


def check(kept: ArrayFile, options: Options) -> int:
    """Check the arrays and facts that `learn` gives."""
    n_words = kept.array("rarity", "float32", "words").size
    entries = kept.array("values", "float32", "entries").size
    kept.numbers("columns", n_words, "entries")
    rows = kept.array("spread", "float64", "documents", "classes").shape[0]
    starts = kept.numbers("starts", entries + 1, rows + 1)
    if starts[0] != 0 or starts[-1] != entries or (starts[1:] < starts[:-1]).any():
        raise kept.fault("the starts of its documents do not rise")
    kept.fact("choice", {"k": range(1, rows + 1), "alpha": float})
    return kept.array("shares", "float64", "classes").size


def fit(task: Task) -> Fitted:
    """Choose k and α by cross-validation, then use all labels; `seconds` includes neighbours."""
    began = time.perf_counter()
    spread = _spread(task)
    near, k = spread.near, spread.chosen.best.k
    summed = near.test.matrix(k, len(spread.f)) @ spread.f
    predicted = most_likely(probabilities(summed, spread.shares))
    seconds = time.perf_counter() - began + (near.seconds if "neighbours" in task.inputs else 0)
    return Fitted(predicted, seconds=seconds, notes=spread.notes)


def _spread(task: Task) -> _Spread:
    corpus = task.corpus
    known, train = labelled_documents(corpus, METHOD), corpus.documents(TRAIN)
    chosen = None
    if task.choice is not None:
        chosen = Search(PropagationChoice(int(task.choice["k"]), task.choice["alpha"]))
    least = chosen.best.k if chosen else NEIGHBOURS[0]
    if train.size <= least:
        raise PteError(
            f"{METHOD}: {train.size} training documents are too few for {least} neighbours"
        )
    file = task.inputs.get("neighbours")
    near = Neighbours.load(file) if file else Neighbours.of(corpus)
    given = np.zeros((train.size, corpus.n_classes))
    given[np.searchsorted(train, known), np.asarray(corpus.labels[known])] = 1
    chosen = chosen or _validate(corpus, near, known, given, task.seed)
    joined = graph(near.train.matrix(chosen.best.k, train.size))
    shares = given.sum(axis=0) / given.sum()
    notes = {**chosen.notes, "unlabelled": int((corpus.labels[train] == UNLABELLED).sum())}
    return _Spread(propagate(joined, given, chosen.best.alpha), shares, chosen, near, notes)


def _validate(
    corpus: EncodedCorpus,
    near: "Neighbours",
    known: NDArray[np.int64],
    given: NDArray[np.float64],
    seed: int,
) -> Search[PropagationChoice]:
    """Find k and α with the best accuracy; α rises until accuracy is a standard error worse."""
    train, labels = corpus.documents(TRAIN), np.asarray(corpus.labels[known])
    shares = given.sum(axis=0) / given.sum()
    places = np.searchsorted(train, known)
    parts = folds(labels, seed, groups_of(corpus, known))
    if not parts:
        return Search(USUAL)
    n_judges = sum(judge.size for _, judge in parts)
    known_alone = np.repeat(given[:, None], len(parts), axis=1)
    for part, (_, judge) in enumerate(parts):
        known_alone[places[judge], part] = 0

    hidden = [unlabelled_mates(corpus, known[judge])[train] for _, judge in parts]
    apart = any(map(np.any, hidden))  # unlabelled documents of a judge's group teach nothing

    @lru_cache(maxsize=len(parts) if apart else 1)  # candidates of one k follow one another
    def graphs(k: int, part: int) -> tuple[sparse.csr_array, sparse.csr_array]:
        closest = near.train.matrix(k, train.size)
        if apart:
            seen = sparse.diags_array((~hidden[part]).astype(np.float32))
            closest = sparse.csr_array(seen @ closest @ seen)
        return closest, graph(closest)

    def accuracy(choice: PropagationChoice) -> float:
        hits, every = 0, list(range(len(parts)))
        for some in [[part] for part in every] if apart else [every]:
            closest, joined = graphs(choice.k, some[0])
            spread = propagate(joined, known_alone[:, some].reshape(train.size, -1), choice.alpha)
            believed = (closest @ spread).reshape(train.size, len(some), -1)
            for place, part in enumerate(some):
                judge = parts[part][1]
                found = most_likely(probabilities(believed[places[judge], place], shares))
                hits += int((found == labels[judge]).sum())
        return 100 * hits / n_judges

    tried: list[tuple[PropagationChoice, float]] = []
    for k in (k for k in NEIGHBOURS if k < train.size):
        along = (PropagationChoice(k, alpha) for alpha in ALPHAS)
        tried += search(along, accuracy, lambda scores: is_worse(scores, n_judges)).tried
    return Search.of(tried)


def graph(near: sparse.csr_array) -> sparse.csr_array:
    """Return S, made from W; W_ij > 0 where i is a neighbour of j or j is a neighbour of i."""
    joined = near.maximum(near.T)
    degrees = np.asarray(joined.sum(axis=1)).ravel()
    scale = sparse.diags_array(1 / np.sqrt(np.where(degrees > 0, degrees, 1)))
    return sparse.csr_array(scale @ joined @ scale)


def propagate(s: sparse.csr_array, given: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Find F, the limit of F ← αSF + (1 − α)Y, by conjugate gradients on (I − αS) F = (1 − α) Y."""
    goal = (1 - alpha) * given
    spread = np.zeros_like(goal)
    residual, direction = goal.copy(), goal.copy()
    size = start = (residual**2).sum(axis=0)
    while (size > TOLERANCE**2 * start).any():
        image = direction - alpha * (s @ direction)
        step = _ratio(size, (direction * image).sum(axis=0))
        spread += step * direction
        residual -= step * image
        size, before = (residual**2).sum(axis=0), size
        direction = residual + _ratio(size, before) * direction
    return spread


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def probabilities(believed: NDArray[np.float64], shares: Shares) -> NDArray[np.float64]:
    """Return sums of F in proportion, or `shares` for 0; the solver leaves some below 0."""
    raised = believed - np.minimum(believed.min(axis=1, keepdims=True), 0)
    totals = raised.sum(axis=1, keepdims=True)
    scaled = raised / np.where(totals > 0, totals, 1)
    return np.asarray(np.where(totals > 0, scaled, shares))


CHUNK_BYTES = 2**25  # that comparing some documents with all training ones may take
PAIRS_A_SECOND, PRODUCTS_A_SECOND = 1e8, 3e8  # roughly; an AMD EPYC: 51 s for 5 · 10⁹ pairs
MOST_SECONDS = 4 * 3600  # the most processor seconds expected of a comparison
_CELL = 24  # bytes of a pair of documents: its product, sparse and dense, and its key
_FOUND = 8  # bytes of a neighbour that is found


@dataclass(frozen=True)
class Nearest:
    """The nearest training documents, most similar first: int32 and float32, (documents, k)."""

    positions: NDArray[np.int32]
    cosines: NDArray[np.float32]

    def matrix(self, k: int, n_train: int) -> sparse.csr_array:
        """Return the first `k` of each row as a sparse matrix, shape (documents, n_train)."""
        rows = len(self.positions)
        values, columns = self.cosines[:, :k].ravel(), self.positions[:, :k].ravel()
        return sparse.csr_array((values, columns, np.arange(rows + 1) * k), (rows, n_train))


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of training and test documents, in corpus order; none is its own neighbour."""

    train: Nearest
    test: Nearest
    seconds: float

    @classmethod
    def of(cls, corpus: EncodedCorpus) -> "Neighbours":
        """Find up to `MOST` neighbours of each document."""
        began = time.perf_counter()
        if not corpus.n_words:
            raise PteError(
                "neighbours: the vocabulary is empty; the training documents hold no word"
            )
        features = tf_idf(corpus)
        train, test = features[corpus.documents(TRAIN)], features[corpus.documents(TEST)]
        k = min(MOST, train.shape[0] - 1)
        near = nearest(train, train, k, itself=False), nearest(test, train, k)
        return cls(*near, time.perf_counter() - began)

    def save(self, path: Path) -> None:
        """Write an .npz file, atomically."""
        arrays = {
            f"{part}_{name}": array
            for part, near in (("train", self.train), ("test", self.test))
            for name, array in vars(near).items()
        }
        with atomic_file(path) as temporary:
            np.savez(temporary, seconds=self.seconds, **arrays)

    @classmethod
    def load(cls, path: Path) -> "Neighbours":
        """Read what `save` wrote, or raise the refusal that the file holds."""
        kept = read_array_file(path, None, REMEDY)
        if "refused" in kept:
            raise PteError(f"{kept.arrays['refused']}; to try again, delete {path}")
        kept.array("train_positions", "i", "train", "k of train")
        train, test = _nearest_in(kept, "train"), _nearest_in(kept, "test")
        return cls(train, test, float(kept.array("seconds", "float64")))


def _nearest_in(kept: ArrayFile, part: str) -> Nearest:
    shape = part, f"k of {part}"
    positions = kept.numbers(f"{part}_positions", kept.lengths["train"], *shape).astype(np.int32)
    return Nearest(positions, kept.array(f"{part}_cosines", "float32", *shape))


def write_refusal(path: Path, why: str) -> None:
    """Write why there are no neighbours, which `Neighbours.load` raises."""
    with atomic_file(path) as temporary:
        np.savez(temporary, refused=why)


def nearest(
    asked: sparse.csr_array, among: sparse.csr_array, k: int, *, itself: bool = True
) -> Nearest:
    """Find the `k` rows of `among` with the largest products ≥ 0, the first of equal ones."""
    rows, n = asked.shape[0], among.shape[0]
    needed = _FOUND * k * rows + max(CHUNK_BYTES, _CELL * n)
    require(needed, "neighbours", f"{rows} documents, each beside {n} others,")
    _refuse_hours(asked, among)
    positions, products = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    # Whole numbers in the order of the products; of equal products, the first is largest. The bits
    # of floats that are not negative are in the order of the floats.
    half, last = np.uint64(32), np.uint64(2**32 - 1)
    columns, firsts = among.T.tocsr(), last - np.arange(n, dtype=np.uint64)
    step = max(CHUNK_BYTES // (_CELL * n), 1)
    for begin in range(0, rows, step):
        part = slice(begin, begin + step)
        keys = (asked[part] @ columns).toarray().view(np.uint32).astype(np.uint64)
        keys <<= half
        keys |= firsts
        if not itself:
            keys[np.arange(len(keys)), begin + np.arange(len(keys))] = 0
        keys.partition(min(n - k, n - 1), axis=1)
        best = np.sort(keys[:, n - k :], axis=1)[:, ::-1]
        positions[part] = last - (best & last)
        products[part] = (best >> half).astype(np.uint32).view(np.float32)
    return Nearest(positions, products)


def _refuse_hours(asked: sparse.csr_array, among: sparse.csr_array) -> None:
    pairs = asked.shape[0] * among.shape[0]
    held = [np.bincount(m.indices, minlength=m.shape[1]).astype(float) for m in (asked, among)]
    products = float(held[0] @ held[1])
    seconds = pairs / PAIRS_A_SECOND + products / PRODUCTS_A_SECOND
    if seconds > MOST_SECONDS:
        raise PteError(
            f"neighbours: {asked.shape[0]:,} documents, each beside {among.shape[0]:,} for "
            f"training, are {pairs:.1e} pairs at {PAIRS_A_SECOND:.0e} a second and {products:.1e} "
            f"products at {PRODUCTS_A_SECOND:.0e} a second: {seconds / 3600:.1f} hours, more than "
            f"{MOST_SECONDS / 3600:g}; leave label propagation out for this corpus, or give fewer "
            "documents"
        )
