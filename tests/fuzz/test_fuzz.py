"""Whatever a file holds, it is read within bounds or refused with a message."""

import copy
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from inputs import check, damaged, strange
from targets import TARGETS

from pte.corpora.encoded import EncodedCorpus
from pte.networks.edge_list import EdgeList
from pte_study.plan.study import Study

FUZZ = settings.get_profile("fuzz")
ROOT = Path(__file__).parents[2]
CONFIG = "config.yaml"
REGISTRIES = [f"workflow/registry/{name}.yaml" for name in ("methods", "corpora", "claims")]
WRITTEN = {name: yaml.safe_load((ROOT / name).read_text("utf-8")) for name in (CONFIG, *REGISTRIES)}


@pytest.mark.parametrize("name", TARGETS)
def test_a_damaged_file_is_read_or_refused(name, tmp_path):
    target = TARGETS[name]
    (tmp_path / target.file).write_bytes(target.whole)
    assert target.read(tmp_path / target.file) is not None  # or no damage would be tried

    @FUZZ
    @given(content=damaged(target.whole))
    def each(content):
        file = tmp_path / target.file
        file.write_bytes(content)
        check(name, lambda: target.read(file))

    each()


def test_a_damaged_corpus_is_the_same_or_refused(corpus, tmp_path):
    whole = tmp_path / "whole"
    corpus.save(whole)
    files = {path.name: path.read_bytes() for path in whole.iterdir()}

    @FUZZ
    @given(data=st.data())
    def each(data):
        name = data.draw(st.sampled_from(sorted(files)))
        shutil.rmtree(tmp_path / "damaged", ignore_errors=True)
        shutil.copytree(whole, tmp_path / "damaged")
        (tmp_path / "damaged" / name).write_bytes(data.draw(damaged(files[name])))
        found = check("encoded corpus", lambda: EncodedCorpus.load(tmp_path / "damaged"))
        if found is not None:
            assert (found.words, found.classes) == (corpus.words, corpus.classes)
            for array in ("tokens", "offsets", "labels", "split"):
                assert np.array_equal(getattr(found, array), getattr(corpus, array))

    each()


@pytest.mark.filterwarnings("ignore:.*edges are left out")
def test_a_damaged_edge_list_is_read_or_refused(corpus, tmp_path):
    word = corpus.words[0]

    @FUZZ
    @given(content=damaged(b"s\t%s\t1\nt\t%s\t2.5\n" % (word, word)))
    def each(content):
        (tmp_path / "edges.tsv").write_bytes(content)
        check("edge list", lambda: EdgeList(tmp_path / "edges.tsv").build(corpus, 5))

    each()


def test_a_strange_configuration_or_registry_is_taken_or_refused(tmp_path):
    shutil.copytree(ROOT / "workflow", tmp_path / "workflow")

    @settings(FUZZ, max_examples=max(10, FUZZ.max_examples // 10))
    @given(data=st.data())
    def each(data):
        name = data.draw(st.sampled_from(sorted(WRITTEN)))
        value = strange(data.draw, WRITTEN[name])
        values = copy.deepcopy(WRITTEN[CONFIG])
        if name == CONFIG:
            values = value if isinstance(value, dict) else values
        else:
            (tmp_path / name).write_text(yaml.safe_dump(value), "utf-8")
        try:
            check("study", lambda: Study.load(values, tmp_path / "workflow"))
        finally:
            if name != CONFIG:
                shutil.copy(ROOT / name, tmp_path / name)

    each()
