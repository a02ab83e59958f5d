"""A network that is counted in shards is the network that is counted whole, byte for byte."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pte.errors import PteError
from pte.networks import named
from pte.networks.contract import MEMORY
from pte.networks.shards import NetworkShard, count_shard, join_network
from pte.shard import Shard


def shards_of(name, corpus, of, folder=None):
    counting = named.counting(name, corpus, 5)
    shards = [count_shard(counting, Shard(i, of), MEMORY) for i in range(of)]
    if folder is None:
        return shards
    for i, shard in enumerate(shards):
        shard.save(folder / str(i))
    return [NetworkShard.load(folder / str(i)) for i in range(of)]


@pytest.mark.parametrize("of", [1, 3, 8])
@pytest.mark.parametrize("name", ["ww", "wd", "wl", "ws"])
def test_shards_make_the_network_that_is_counted_whole(corpus, tmp_path, name, of):
    whole = named.build(name, corpus, 5)
    whole.save(tmp_path / "whole")
    shards = shards_of(name, corpus, of, tmp_path)
    join_network(shards[::-1]).save(tmp_path / "joined")
    assert sum(shard.rows.edges.sum() for shard in shards) == whole.stored_edges
    for file in (tmp_path / "whole").iterdir():
        assert (tmp_path / "joined" / file.name).read_bytes() == file.read_bytes()


def test_rows_are_shared_out_by_what_they_cost(corpus):
    counting = named.counting("wd", corpus, 0)
    shares = counting.shares(3)
    assert [row for first, last in shares for row in range(first, last)] == list(
        range(counting.sizes.size)
    )
    items = [counting.sizes[first:last].sum() for first, last in shares]
    assert max(items) - min(items) <= 2 * counting.sizes.max()


def test_more_shards_than_rows_leave_some_empty(corpus):
    shards = shards_of("wl", corpus, 40)
    assert any(shard.rows.edges.size == 0 for shard in shards)
    assert join_network(shards).n_edges == named.build("wl", corpus, 0).n_edges


def test_shards_that_do_not_make_a_network_are_refused(corpus):
    shards = shards_of("wd", corpus, 3)
    for wrong in (shards[1:], shards[:2], [*shards, shards[1]], [shards[0], shards[2]]):
        with pytest.raises(PteError, match="not all those of one network"):
            join_network(wrong)
    other = replace(shards[2], n_words=9)
    with pytest.raises(PteError, match="not all those of one network"):
        join_network([*shards[:2], other])


def test_a_damaged_shard_is_named(corpus, tmp_path):
    shards_of("wd", corpus, 1, tmp_path)
    file = tmp_path / "0" / "target.npy"
    content = bytearray(file.read_bytes())
    content[200] ^= 1
    file.write_bytes(content)
    with pytest.raises(PteError, match=r"target\.npy: damaged"):
        NetworkShard.load(tmp_path / "0")


def test_a_network_of_a_file_has_no_shards(corpus, tmp_path, monkeypatch):
    (tmp_path / "cites.tsv").write_text("a\tb\t1\n")
    monkeypatch.setenv("PTE_NETWORKS", f'{{"cites": "{Path(tmp_path) / "cites.tsv"}"}}')
    assert named.is_counted("ww") and not named.is_counted("cites")
    with pytest.raises(PteError, match="cites: this network is built whole"):
        named.counting("cites", corpus, None)


@pytest.mark.parametrize("item", ["0-of-3", "4-of-3", "1of3", "-1-of-3", "a-of-b", ""])
def test_a_shard_has_a_number_among_all(item):
    assert Shard.parse("3-of-3") == Shard(2, 3)
    with pytest.raises(PteError, match="write it as 1-of-8"):
        Shard.parse(item)


def test_arrays_of_shards_have_their_types(corpus, tmp_path):
    (shard,) = shards_of("ww", corpus, 1, tmp_path)
    types = [each.dtype for each in (shard.rows.edges, shard.rows.target, shard.rows.weight)]
    assert types == [np.int64, np.int32, np.float32]
