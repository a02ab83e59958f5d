"""Jobs that encode and count in shards make what one job makes, and leave nothing else behind."""

import json

MADE = [
    "resources/corpora/tiny",
    "resources/networks/tiny/given/ww",
    "resources/networks/tiny/shuffled-1/wl",
]
SHARDED = ("read_documents", "number_shard", "join_corpus", "network_shard", "join_network")


def test_shards_make_what_one_job_makes(finished, scratch):
    shards = 3
    scratch.succeeds(*MADE, "--config", f"shards={shards}")
    for folder in MADE:
        files = sorted((finished.folder / folder).iterdir())
        assert [f.name for f in sorted((scratch.folder / folder).iterdir())] == [
            f.name for f in files
        ]
        for file in files:
            assert (scratch.folder / folder / file.name).read_bytes() == file.read_bytes()
    left = [
        file
        for kind in ("documents", "shards", "network_shards")
        for top in ("resources", "results/costs")
        for file in (scratch.folder / top / kind).rglob("*")
        if file.is_file()
    ]
    assert left == []
    cost = json.loads((scratch.folder / "results/costs/corpora/tiny.json").read_text("utf-8"))
    assert cost["processor_seconds"] > 0


def test_a_corpus_is_encoded_by_one_job_unless_shards_are_asked_for(checkout):
    assert not set(SHARDED) & checkout.plan(*MADE).keys()
    plan = checkout.plan(*MADE, "--config", "shards=5")
    assert {rule: plan[rule] for rule in SHARDED} == {
        "read_documents": 1,
        "number_shard": 5,
        "join_corpus": 1,
        "network_shard": 10,
        "join_network": 2,
    }
    assert not {"encode", "network"} & plan.keys()
