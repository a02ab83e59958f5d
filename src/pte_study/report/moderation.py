"""The verdicts that depend on moderated variances: without moderation they would be different."""

import pandas as pd

from pte_study.claims.points import METRICS
from pte_study.claims.verdicts import CLAIMED, of_claims
from pte_study.report.verdicts import Pairs

NAMES = dict(zip(METRICS, ("micro-F1", "macro-F1"), strict=True))


def moderation(moderated: Pairs, alone: Pairs) -> pd.DataFrame:
    """Return a row of strings for each verdict that differs between two ways to judge.

    `moderated` are the verdicts as published. `alone` are the verdicts if no spread over seeds is
    moderated.
    """
    rows = []
    for protocol, pairs in moderated.items():
        both = of_claims(pairs).merge(
            of_claims(alone[protocol]), on=CLAIMED, suffixes=("", "_alone")
        )
        rows += [
            (
                f"`{row['claim']}`",
                row["corpus"],
                protocol,
                NAMES.get(row["metric"], row["metric"]),
                row["verdict"],
                row["verdict_alone"],
            )
            for _, row in both[both["verdict"] != both["verdict_alone"]].iterrows()
        ]
    columns = ["claim", "corpus", "protocol", "metric", "verdict", "not moderated"]
    return pd.DataFrame(rows, columns=columns)
