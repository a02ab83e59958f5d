"""Which verdicts hang on moderated variances: those that would be others without."""

import pandas as pd

from pte.claims.verdicts import CLAIMED, of_claims
from pte.report.verdicts import Pairs


def moderation(moderated: Pairs, alone: Pairs) -> pd.DataFrame:
    """Return a row of strings for each verdict that differs between two ways to judge.

    `moderated` are the verdicts as published; for `alone` each spread over seeds stands for itself.
    """
    rows = []
    for protocol, pairs in moderated.items():
        both = of_claims(pairs).merge(
            of_claims(alone[protocol]), on=CLAIMED, suffixes=("", "_alone")
        )
        rows += [
            (f"`{row['claim']}`", row["corpus"], protocol, row["verdict"], row["verdict_alone"])
            for _, row in both[both["verdict"] != both["verdict_alone"]].iterrows()
        ]
    return pd.DataFrame(rows, columns=["claim", "corpus", "protocol", "verdict", "not moderated"])
