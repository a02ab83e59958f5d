"""PTE with some of the networks, and as many edges of each network as a joint training draws.

The other variants of PTE draw as many edges in all as PTE(joint) does. A variant with fewer
networks then draws more edges of each network: PTE(Gwl) draws three times as many word-label edges.
Here T is smaller instead, so that variants differ in their networks alone.
"""

from dataclasses import replace

from pte.errors import PteError
from pte.models import network_embedding
from pte.models.network_embedding import NETWORKS
from pte.training.contract import Fitted, Options, Task

SPEC = replace(
    network_embedding.SPEC,
    options={"networks": NETWORKS, "among": NETWORKS},
    required=("networks", "among"),
    uses=network_embedding.SPEC.uses - {"samples_limit", "samples_further"},
    choice={},
    cost=lambda options: network_embedding.SPEC.cost(_phases(options)),
    networks=lambda options: tuple(sorted(options["networks"])),
    sees_labels=lambda options: network_embedding.SPEC.sees_labels(_phases(options)),
    ordered=lambda options: network_embedding.SPEC.ordered(_phases(options)),
)


def fit(task: Task) -> Fitted:
    """Train on `networks` with their share of T, as if all of `among` were trained together.

    Raises `PteError` when T is not a number, because T would then be chosen for `networks` alone.
    """
    if isinstance(task.samples, str):
        raise PteError(f"equal_draws: samples is {task.samples}; give a number")
    share = len(task.options["networks"]) / len(task.options["among"])
    samples = round(task.samples * share)
    return network_embedding.fit(replace(task, options=_phases(task.options), samples=samples))


def _phases(options: Options) -> Options:
    """Return the options of a `network_embedding` entry with the same networks, in one phase."""
    return {"phases": [options["networks"]]}
