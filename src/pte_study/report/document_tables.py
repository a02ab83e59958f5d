"""Tables that stand in documents and come from the published results.

These are the lead of PTE(auto), in docs/findings.md, where T met a bound, in docs/protocols.md, and
the verdicts that depend on moderated variances, in results/published/moderation.md. After a run is
published, write them again:

    python -m pte_study.report.document_tables
"""

from pathlib import Path

import pandas as pd

from pte_study import paths
from pte_study.plan.runs import Runs
from pte_study.render.markdown import markdown_table, write_into
from pte_study.report.bounds import bounds
from pte_study.report.here import runs_here
from pte_study.report.leads import over_the_best
from pte_study.report.moderation import moderation
from pte_study.report.publish import judged_published

FINDINGS, MODERATION = Path("docs/findings.md"), Path(paths.PUBLISHED, "moderation.md")
PROTOCOLS = Path("docs/protocols.md")


def bounds_met(runs: Runs) -> pd.DataFrame:
    """Return where the T of published tables met a bound of config.yaml."""
    config, published = runs.study.config, Path(paths.PUBLISHED)
    tables = [published / f"{name}.csv" for name in config.tables]
    limits = (config.samples_limit, config.samples_further)
    return bounds([path for path in tables if path.exists()], limits)


def main() -> None:
    """Write the tables, from the repository's root."""
    published, runs = Path(paths.PUBLISHED), runs_here()
    leads = over_the_best(published, runs.study.unseeded_methods)
    write_into(FINDINGS, "lead", markdown_table(leads))
    write_into(PROTOCOLS, "bounds", markdown_table(bounds_met(runs)))
    moderated, alone = judged_published(runs), judged_published(runs, moderated=False)
    if moderated and alone:
        write_into(MODERATION, "moderation", markdown_table(moderation(moderated, alone)))


if __name__ == "__main__":
    main()
