"""The fits and shared results that scores need, and the cost files of all of them."""

from collections.abc import Iterable, Sequence

from pte.corpora.subsets import Subset
from pte_study import paths
from pte_study.plan.claimed import Claimed
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study


def fits_of(study: Study, scores: Iterable[str]) -> list[str]:
    """Return the fits of the methods of some scores, without ending, each once.

    Fits of other methods, whose vectors these are given, are not among them. These are fits on the
    corpus, and where a classifier is chosen also fits on its hidden subset.
    """
    return list(dict.fromkeys(study.fits.stem(*fit) for fit in _fitted(study, scores)))


def shared_by(study: Study, scores: Iterable[str]) -> list[str]:
    """Return the results with a cost of their own that some scores and their fits need, each once.

    These are encoded corpora of the registry, networks, nearest documents, choices of
    hyperparameters, and choices of classifiers.
    """
    found: dict[str, None] = {}
    for corpus, method, protocol, seed in _fitted(study, scores):
        inputs = study.fits.inputs(corpus, method, protocol, seed)
        others = {"corpus", "compiled", "rows", *study.method(method).needs}
        made = [file for role, file in inputs.items() if role not in others]
        found |= dict.fromkeys([paths.corpus(Subset.parse(corpus).base), *made])
    classifiers = [
        paths.CLASSIFIER.format_map(run)
        for run in map(_run_of, scores)
        if study.fits.chooses_classifier(run["corpus"], run["method"], run["protocol"])
    ]
    return list(found | dict.fromkeys(classifiers))


def searched_for(study: Study, corpus: str, method: str, protocol: str) -> list[str]:
    """Return the results that are made only to choose something for a method, each once.

    These are the choices of hyperparameters, for the method and for the methods whose vectors it is
    given. Where a classifier is chosen, they are also this choice, and the fits for it. These fits
    do not see the labels of the documents that judge the classifiers. A choice that a fit makes by
    itself is not among these results.
    """
    if study.registries.why_not(corpus, method):
        return []
    fits, entry, seed = study.fits, study.method(method), str(study.config.seeds[0])
    of_fit = fits.protocol_of_fit(method, protocol) if entry.is_represented else protocol
    names = [n for n in (method, *entry.needs.values()) if study.method(n).is_represented]
    choices = [fits.inputs(corpus, name, of_fit, seed).get("choice") for name in names]
    made = [choice for choice in choices if choice]
    if fits.chooses_classifier(corpus, method, protocol):
        hidden = fits.hidden(corpus)
        made += [fits.stem(hidden.name, name, of_fit, str(hidden.seed)) for name in names]
        made += [paths.CLASSIFIER.format(corpus=corpus, method=method, protocol=protocol)]
    return list(dict.fromkeys(made))


def _fitted(study: Study, scores: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """Return the corpus, method, protocol and seed of each fit that some scores need, each once."""
    found: dict[tuple[str, str, str, str], None] = {}
    for run in map(_run_of, scores):
        corpus, method, protocol = run["corpus"], run["method"], run["protocol"]
        if not study.method(method).is_represented or study.registries.why_not(corpus, method):
            continue
        on = [(corpus, run["seed"])]
        if study.fits.chooses_classifier(corpus, method, protocol):
            hidden = study.fits.hidden(corpus)
            on.append((hidden.name, str(hidden.seed)))
        for name, seed in on:
            found[study.fits.trained_on(name, method), method, protocol, seed] = None
    return list(found)


def beside_scores(runs: Runs) -> list[str]:
    """Return results that have a cost and are no scores, without ending, each once.

    These are trainings of the sensitivity experiment, maps, and what else claims compare.
    """
    claimed = Claimed.by(runs)
    trained = [stem for name in runs.parameters for stem in runs.of_sensitivity(name)]
    placed = [stem for corpus in runs.study.config.maps for stem in runs.of_map(corpus)]
    compared = [stem for measure in paths.BESIDE for stem in claimed.beside(measure)]
    return list(dict.fromkeys([*trained, *placed, *claimed.trainings(), *compared]))


def costs(runs: Runs, scores: Sequence[str], others: Iterable[str] = ()) -> list[str]:
    """Return the cost files of scores, of their fits, of shared results, and of `others`."""
    made = [*fits_of(runs.study, scores), *scores, *shared_by(runs.study, scores), *others]
    return [paths.cost(name) for name in made]


def _run_of(name: str) -> dict[str, str]:
    """Return the corpus, method, protocol and seed of a score."""
    return paths.wildcards_of(paths.SCORES, name) or {}
