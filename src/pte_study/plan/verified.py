"""A sample of published runs, which are made again here."""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pte import encoders
from pte.corpora.subsets import Subset
from pte.files import sha256_of
from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study
from pte_study.store.reading import corpus_of, held

SEED = 1
"""The seed of the sample, so that the same published runs give the same sample."""


def sample(study: Study, folder: Path = Path(paths.PUBLISHED_RUNS)) -> dict[str, str]:
    """Choose some published scores that can be made here: as many as the configuration says.

    Methods take turns, each by both protocols, so that a few runs are of many methods. Each run has
    the published file that holds it. Raises `PteError` when nothing is published.
    """
    found = held(folder)
    able = sorted(name for name in found if _is_able(study, name))
    random.Random(SEED).shuffle(able)
    turns, turn = Counter[tuple[str, str]](), dict[str, int]()
    for name in able:
        run = paths.wildcards_of(paths.SCORES, name) or {}
        made_by = (run["method"], run["protocol"])
        turn[name] = turns[made_by]
        turns[made_by] += 1
    chosen = sorted(sorted(able, key=turn.__getitem__)[: study.config.verified])
    return {name: found[name] for name in chosen}


def hashes(sampled: Mapping[str, str]) -> dict[str, str]:
    """Return the sha256 of each published file.

    The files are not inputs of the job, because then the rule `publish` would make them first.
    """
    return {file: sha256_of(Path(file)) for file in sorted(set(sampled.values()))}


def inputs(study: Study) -> dict[str, list[str]]:
    """Return the files that jobs make again, and the places of these runs."""
    made, sampled = Runs(study), sample(study)
    corpora = list(dict.fromkeys(map(corpus_of, sampled)))
    return {"runs": made.files(sampled), "places": made.places(corpora)}


def _is_able(study: Study, name: str) -> bool:
    run = paths.wildcards_of(paths.SCORES, name)
    if not run or run["method"] not in study.registries.methods:
        return False
    base, encoder = Subset.parse(run["corpus"]).base, study.config.encoder
    if study.method(run["method"]).encoded and not (encoder and encoders.is_installed(encoder)):
        return False
    if not study.fits.is_installed(run["method"]):
        return False
    known = base in study.registries.corpora and not study.unplanned(base)
    return known and study.registries.why_not(run["corpus"], run["method"]) is None
