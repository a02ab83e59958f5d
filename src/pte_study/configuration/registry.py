"""The entries of workflow/registry and of plugins, as frozen classes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pte.corpora.entry import Archive, CorpusEntry
from pte.corpora.subsets import Subset
from pte.errors import PteError
from pte.training.method import Method
from pte_study.claims.claim import FROM_PAPER, Claim
from pte_study.configuration.joining import joined
from pte_study.configuration.yaml_files import check


def checked_method(name: str, entry: Mapping[str, Any], where: str) -> Method:
    """Make a method from its entry in the registry, and check its options.

    Raises `PteError` as `Method.of` does, if the options do not fit the model, and if the model
    makes features and needs networks or neighbours. `where` begins the messages.
    """
    method = Method.of(name, entry, where)
    spec = method.spec
    allowed = {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(spec.options),
        "required": list(spec.required),
    }
    for given in (method.options, method.on_lost_order().options):
        check(given, allowed, where.removesuffix(f": {name}"), name)
    if spec.yields == "features" and (method.networks or spec.neighbours):
        raise PteError(
            f"{where}: features are made where they are scored; they may need word vectors of "
            "other methods, but no networks and no neighbours"
        )
    return method


@dataclass(frozen=True)
class Registries:
    """All entries by their names.

    `unavailable` says why a corpus of the paper cannot be had. For such corpora, `official` has the
    corpora that are read from their official files, and `stand_ins` has those of other texts.
    `other_splits` has further corpora with the same documents and other test documents.
    `where` has the beginning of messages about each entry, by the entry's key: the file and the
    key.
    """

    methods: Mapping[str, Method]
    archives: Mapping[str, Archive]
    corpora: Mapping[str, CorpusEntry]
    claims: Mapping[str, Claim]
    unavailable: Mapping[str, str]
    where: Mapping[str, str]
    stand_ins: Mapping[str, Sequence[str]]
    official: Mapping[str, Sequence[str]]
    other_splits: Mapping[str, Sequence[str]]

    def method_on(self, corpus: str, name: str) -> Method:
        """Return a method with the options that it has on a corpus or on a subset."""
        entry = self.methods[name]
        return entry.on_lost_order() if self.entry_of(corpus).order_lost else entry

    def why_not(self, corpus: str, method: str) -> str | None:
        """Return why a method cannot run on a corpus; None if it can run.

        It cannot run either if a method whose vectors it takes cannot run.
        """
        text = self.entry_of(corpus)
        if reason := self.methods[method].why_not(text.several_labels, text.order_lost):
            return reason
        needed = self.method_on(corpus, method).needs.values()
        return next(filter(None, (self.why_not(corpus, name) for name in needed)), None)

    def entry_of(self, corpus: str) -> CorpusEntry:
        """Return the entry of the corpus that a corpus or a subset belongs to."""
        return self.corpora[Subset.parse(corpus).base]

    def yielding(self, *kinds: str) -> list[str]:
        """Return the methods that yield one of these `kinds`."""
        return [name for name, method in self.methods.items() if method.spec.yields in kinds]

    def without_claims_on(self, methods: Collection[str]) -> "Registries":
        """Return the registries without the claims that name one of some methods."""
        claims = {
            name: claim
            for name, claim in self.claims.items()
            if not {*claim.left, *claim.right} & {*methods}
        }
        return replace(self, claims=claims)


def read_registries(workflow: Path, folders: Sequence[Path]) -> Registries:
    """Read the registries of the folder `workflow`, with the entries that plugin `folders` add.

    Raises `PteError` that names the file, the key and what is wrong.
    """
    methods, method_at, _ = joined("methods.yaml", workflow, folders)
    corpora, corpus_at, _ = joined("corpora.yaml", workflow, folders)
    claims, claim_at, sources = joined("claims.yaml", workflow, folders)
    return Registries(
        methods={n: checked_method(n, entry, method_at[n]) for n, entry in methods.items()},
        archives={n: Archive.from_mapping(entry) for n, entry in corpora["archives"].items()},
        corpora={n: CorpusEntry.from_mapping(entry) for n, entry in corpora["corpora"].items()},
        claims={
            n: Claim.from_mapping(
                entry, claim_at[f"claims.{n}"], sources.get(f"claims.{n}", FROM_PAPER)
            ).on_corpora(claims["official"], claims["stand_ins"], claims["other_splits"])
            for n, entry in claims["claims"].items()
        },
        unavailable=claims["unavailable"],
        where={**method_at, **corpus_at, **claim_at},
        stand_ins=claims["stand_ins"],
        official=claims["official"],
        other_splits=claims["other_splits"],
    )
