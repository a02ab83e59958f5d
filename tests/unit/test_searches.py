"""What choosing took: which jobs search for a method, and what is published of them."""

from pathlib import Path

import pytest

from pte.files import write_json
from pte_study import paths
from pte_study.configuration.config import CHOSEN, PAPER
from pte_study.report.provenance import searches
from pte_study.report.publish import study_here

ROOT = Path(__file__).parents[2]
OF_JOINT = ["results/choices/mr/pte_joint.json"]
HIDDEN = ["results/representations/mr-hidden-seed{0}/pte_joint/chosen/seed{0}"]


@pytest.fixture(scope="module")
def study():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return study_here()


@pytest.mark.parametrize(
    ("method", "protocol", "made"),
    [
        ("pte_joint", PAPER, []),
        ("pte_joint", CHOSEN, [*OF_JOINT, *HIDDEN, "results/classifiers/mr/pte_joint/chosen.json"]),
        (
            "pte_joint_bow",
            CHOSEN,
            [*OF_JOINT, *HIDDEN, "results/classifiers/mr/pte_joint_bow/chosen.json"],
        ),
        ("bow", CHOSEN, ["results/classifiers/mr/bow/chosen.json"]),
        ("pte_auto", PAPER, []),
        ("pte_auto", CHOSEN, []),
        ("cnn_pretrain", CHOSEN, []),
        ("pte_joint_shuffled", CHOSEN, []),
    ],
)
def test_the_searches_of_a_method_are_those_that_its_scores_need(study, method, protocol, made):
    seed = study.config.seeds[0]
    made = [name.format(seed) for name in made]
    assert study.searched_for("mr", method, protocol) == made


def write_cost(name, seconds):
    cost = {"seconds": 2 * seconds, "processor_seconds": seconds, "memory_mb": 9.0}
    write_json(Path(paths.cost(name)), cost)


def test_searches_of_here_replace_published_ones(study, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    published = Path("searches.csv")
    few = f"mr-labelled10-seed{study.config.seeds[0]}"
    assert searches(study, published).empty
    write_cost("results/choices/mr/pte_joint.json", 3.0)
    write_cost(f"results/choices/{few}/pte_joint.json", 4.0)
    first = searches(study, published)
    assert first["made"].tolist() == [f"choices/{few}/pte_joint", "choices/mr/pte_joint"]
    assert first["corpus"].tolist() == ["mr", "mr"]
    first.to_csv(published, index=False)
    Path(paths.cost(f"results/choices/{few}/pte_joint.json")).unlink()
    write_cost("results/choices/mr/pte_joint.json", 5.0)
    others = "mr,choices/mr/pte_auto,1,1,1\nother,choices/other/pte_joint,1.0,2.0,3.0\n"
    published.write_text(published.read_text() + others)
    both = searches(study, published)
    assert both["made"].tolist()[:2] == first["made"].tolist()
    assert both["made"].tolist()[2:] == ["choices/other/pte_joint"]
    both = both[both["corpus"] == "mr"]
    assert both["processor_seconds"].tolist() == [4.0, 5.0]
    assert both["seconds"].tolist() == [8.0, 10.0]
