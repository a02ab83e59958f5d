"""A shard: one of several pieces of work that jobs do apart, and that a last job joins."""

from typing import NamedTuple

from pte.errors import PteError


class Shard(NamedTuple):
    """Number `number`, from 0 on, of `of` shards."""

    number: int
    of: int

    @classmethod
    def parse(cls, item: str) -> "Shard":
        """Read the name that Snakemake gives a shard: "1-of-8" is the first of eight.

        Raises `PteError` for any other text.
        """
        number, between, of = item.partition("-of-")
        if not (between and number.isdecimal() and of.isdecimal() and 0 < int(number) <= int(of)):
            raise PteError(f"shard {item!r}: write it as 1-of-8")
        return cls(int(number) - 1, int(of))
