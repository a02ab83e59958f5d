"""What carries PTE(auto): the pool, the pool without vectors, and the pool without words.

    python -m benchmarks.pool [SEEDS] CORPUS_FOLDER …

With 1, 10 and 100 % of the labels. No test document takes part: a fifth of the labelled training
documents is held out and tests. `judged` is the micro-F1 that the pool expects by its own judges,
and `weights` are those of the experts. One thread; seconds are those of the processor.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.common import journal
from pte.classify.registry import method_named
from pte.corpora.encoded import TEST, EncodedCorpus
from pte.corpora.subsets import with_judges, with_labels
from pte.evaluation.metrics import score
from pte.models import pte_auto
from pte.models.pte_auto.judging import Judgement
from pte.training.contract import Task, most_likely
from pte.training.setup import Hyperparameters, Step

SHARES = (0.01, 0.1, 1.0)
POOLS = {"all": ("vectors", "words"), "words": ("words",), "vectors": ("vectors",)}


def main(arguments: list[str]) -> None:
    note = journal("pool")
    seeds = int(arguments.pop(0)) if arguments[0].isdigit() else 1
    for folder in arguments:
        corpus = EncodedCorpus.load(Path(folder))
        for share in SHARES:
            for seed in range(1, seeds + 1):
                held_out = with_judges(corpus, seed)
                some = with_labels(held_out, share, seed) if share < 1 else held_out
                for name, sees in POOLS.items():
                    line = measured(some, seed, sees)
                    note(corpus=Path(folder).name, share=share, seed=seed, pool=name, **line)


def measured(corpus: EncodedCorpus, seed: int, sees: tuple[str, ...]) -> dict[str, object]:
    options = {**method_named("pte_auto").options, "sees": sees}
    shape = replace(Hyperparameters(), step=Step.of("grouped"))
    task = Task(corpus, seed, options=options, hyperparameters=shape, samples_limit=150_000_000)
    began = time.process_time()
    learnt = pte_auto.learn(task)
    seconds = time.process_time() - began
    found = most_likely(pte_auto.apply(learnt, options, task.asked))
    scores = score(corpus.targets(corpus.documents(TEST)), found, corpus.classes)
    notes = learnt.facts["notes"]
    judged = Judgement.of(notes["right"], notes["judges"])
    return {
        "micro_f1": scores["micro_f1"],
        "macro_f1": scores["macro_f1"],
        "judged": judged.micro_f1,
        "judges": judged.documents,
        "seconds": seconds,
        "weights": {each["name"]: round(each["weight"], 2) for each in notes["experts"]},
    }


if __name__ == "__main__":
    main(sys.argv[1:])
