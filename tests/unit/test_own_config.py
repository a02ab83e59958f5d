"""What config.yaml and the command line say of a user's own text."""

import os
from pathlib import Path

import pytest
from made import configured

from pte.errors import PteError
from pte_study.configuration.own import Own, clean, from_command_line
from pte_study.plan.environment import prepare
from pte_study.plan.fingerprint import Sources
from pte_study.plan.own_targets import OwnTargets
from pte_study.plan.runs import Runs
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]


@pytest.fixture
def values():
    return configured()


@pytest.fixture
def reviews(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("reviews.csv").write_text("review,stars\ngood,5\nbad,1\n", "utf-8")
    return Path("reviews.csv")


def load(values):
    return Study.load(values, ROOT / "workflow")


def test_keys_of_the_command_line_become_an_entry():
    given = {"corpus": "My reviews-2.csv.gz", "label": "1", "test": "0.3", "minutes": "2", "x": 1}
    assert from_command_line(given) == {
        "x": 1,
        "own": {
            "my_reviews_2": {
                "file": "My reviews-2.csv.gz",
                "label": "1",
                "test": 0.3,
                "minutes": 2,
            }
        },
    }


def test_the_name_may_be_given_and_other_texts_stay():
    given = {"corpus": "mr.csv", "name": "mine", "own": {"other": {"file": "a.csv"}}}
    assert from_command_line(given)["own"] == {
        "other": {"file": "a.csv"},
        "mine": {"file": "mr.csv"},
    }


def test_a_key_without_a_value_says_nothing():
    given = {"corpus": "mr.csv", "label": None}
    assert from_command_line(given) == {"own": {"mr": {"file": "mr.csv"}}}


def test_without_keys_nothing_changes(values):
    assert from_command_line(values) == values


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"label": "stars"}, r"--config label=…: name the file, too: corpus=FILE"),
        ({"corpus": "a.csv", "own": {"a": {"file": "b"}}}, "own has a already"),
    ],
)
def test_a_fault_of_the_command_line(given, message):
    with pytest.raises(PteError, match=message):
        from_command_line(given)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("A b.TSV", "a_b"),
        ("x.tar.gz", "x"),
        ("отзывы.csv", "text_370e6c"),
        ("книги.csv", "text_56f89e"),
        ("русский", "text_aa1897"),
        ("отзывы-2024.csv", "2024_6b3616"),
        ("йод.csv", "text_81db47"),
        ("иод.csv", "text_324857"),
        ("हिन्दी.csv", "text_9ddb12"),
        ("--.csv", "text_d8156b"),
        (".csv", "csv"),
        ("welt-völker.csv", "welt_volker"),
        ("Stra\u00dfe.csv", "strasse"),
        ("e\u0301te\u0301.csv", "ete"),
    ],
)
def test_names_are_clean(file, name):
    assert clean(Path(file)) == name


def test_a_text_is_a_corpus_of_the_study(values, reviews):
    values["own"] = {"reviews": {"file": "reviews.csv", "text": "review", "label": "stars"}}
    study = load(values)
    assert study.archives_of("reviews") == {"archive": "reviews.csv"}
    assert "reviews" not in study.registered
    assert "reviews" not in study.tables
    assert "reviews.csv" not in study.downloads
    plan = study.fits.plan("reviews-labelled10-seed1", "pte_joint").configured
    assert plan.samples == "chosen"
    assert plan.weights == "auto"
    assert plan.streamed
    assert plan.samples_limit == study.fits.budget("reviews").samples_limit
    assert study.fits.fixed_choice("reviews", "skipgram") == {"epochs": 20}


def test_config_has_the_last_word(values, reviews):
    values["own"] = {"reviews": {"file": "reviews.csv"}}
    values["samples"] |= {"reviews": 1000}
    values["choices"] |= {"reviews": {"skipgram": {"epochs": 5}}}
    study = load(values)
    assert study.fits.plan("reviews", "pte_joint").configured.samples == 1000
    assert study.fits.fixed_choice("reviews", "skipgram") == {"epochs": 5}
    assert study.fits.fixed_choice("reviews", "pvdbow") == {"epochs": 20}


def test_other_corpora_are_given_what_they_were(values, reviews):
    before = load(values)
    values["own"] = {"reviews": {"file": "reviews.csv"}}
    after = load(values)
    for method in before.registries.methods:
        assert before.fits.plan("r8", method) == after.fits.plan("r8", method)
    assert before.tables == after.tables
    assert before.downloads == after.downloads


def test_a_method_that_cannot_run_is_not_fitted(values, tmp_path):
    (tmp_path / "news.svm").write_text("a 1:1\nb 1:1\n" * 9)
    values["own"] = {"bags": {"file": str(tmp_path / "news.svm")}}
    needed = OwnTargets(Runs(load(values))).needed("bags")
    for name in ("skipgram", "line_ww", "pte_ww_wl"):
        assert needed[name] == [f"results/costs/scores/bags/{name}/chosen/seed1.json"]
    assert "results/costs/representations/bags/pte_joint/chosen/seed1.json" in needed["pte_joint"]


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"mr": {"file": "reviews.csv"}}, "own: mr: this name is taken"),
        ({"news": {"file": "reviews.csv"}}, "own: news: this name is taken"),
        ({"a": {"file": "no.csv"}}, r"own: a: no\.csv: no such file or folder"),
        (
            {"a": {"file": "reviews.csv", "tekst": "x"}},
            r"own\.a: unknown key 'tekst'; did you mean 'te",
        ),
        ({"a": {"text": "x"}}, r"own\.a: 'file' is a required"),
        ({"a": {"file": "reviews.csv", "test": 2}}, r"own\.a\.test: 2 is greater"),
        (
            {"A-b": {"file": "reviews.csv"}},
            "'A-b' may hold nothing but small letters from a to z, dig",
        ),
        (
            {"a": {"file": "reviews.csv", "minuts": 5}},
            r"own\.a: unknown key 'minuts'; did you mean 'minutes'\?$",
        ),
    ],
)
def test_a_fault_is_one_error(values, reviews, own, message):
    values["own"] = own
    with pytest.raises(PteError, match=message):
        load(values)


@pytest.mark.parametrize(
    ("file", "content", "given", "message"),
    [
        (
            "reviews.csv",
            "review,stars\ngood,5\n",
            {"text": "txt"},
            r"^reviews\.csv: line 1: no column 'txt' for `text`; there are 'review', 'stars'$",
        ),
        ("a.tsv", "words\ttopic\nx\ty\n", {}, "no column has a usual name for the text"),
        ("a.jsonl", "{broken\n", {}, r"a\.jsonl: line 1 is not JSON"),
        ("a.csv", "", {}, r"a\.csv: it is empty; the first line must name the columns"),
    ],
)
def test_the_head_of_a_table_is_read_before_anything_runs(
    values, reviews, file, content, given, message
):
    Path(file).write_text(content, "utf-8")
    with pytest.raises(PteError, match=message):
        load(values | {"own": {"mine": {"file": file} | given}})


@pytest.mark.parametrize(
    ("key", "meant"),
    [("minuts", "minutes"), ("corpuss", "corpus"), ("sedes", "seeds"), ("lable", "label")],
)
def test_a_mistyped_key_of_the_command_line_gets_the_nearest(values, reviews, key, meant):
    with pytest.raises(
        PteError, match=rf"--config: unknown key '{key}'; did you mean '{meant}'\?$"
    ):
        load(values | {"corpus": "reviews.csv", key: "5"})


def test_a_key_that_is_like_no_other_gets_no_advice(values, reviews):
    with pytest.raises(PteError, match="unknown key 'zzzz'; known are choices,") as fault:
        load(values | {"zzzz": 1})
    assert "did you mean" not in str(fault.value)


def test_the_state_of_a_folder_changes_with_its_files(tmp_path):
    folder = tmp_path / "mine"
    (folder / "good").mkdir(parents=True)
    (folder / "good" / "1.txt").write_text("a")
    own = Own.of({"file": str(folder)})
    states = [fresh(own)]
    (folder / "good" / "2.txt").write_text("b")
    states.append(fresh(own))
    os.utime(folder / "good" / "2.txt", ns=(1, 1))
    states.append(fresh(own))
    (folder / "good" / "1.txt").unlink()
    states.append(fresh(own))
    assert len(set(states)) == 4
    assert own.size == 1


def test_the_words_beside_a_bag_of_words_are_part_of_its_state(tmp_path):
    (tmp_path / "news.svmlight").write_text("a 1:1\nb 1:1\n")
    own = Own.of({"file": str(tmp_path / "news.svmlight")})
    states = [fresh(own)]
    words = tmp_path / "news.vocabulary.txt"
    words.write_text("one\n")
    states.append(fresh(own))
    words.write_text("another\n")
    states.append(fresh(own))
    assert len(set(states)) == 3
    assert own.size == len("a 1:1\nb 1:1\n")


def fresh(own):
    """Its state as a new process sees it."""
    from pte_study.configuration import own as module

    module._files.cache_clear()
    return own.state


@pytest.mark.parametrize("methods", [["majority", "bow", "pte_joint"], ["majority", "pte_joint"]])
def test_predictions_depend_on_the_code_of_methods_that_make_features(
    values, reviews, monkeypatch, methods
):
    monkeypatch.setattr("pte_study.plan.study._fingerprint", Sources().closure)
    study = load(values | {"methods": methods, "own": {"reviews": {"file": "reviews.csv"}}})
    files = OwnTargets(Runs(study)).predictions_code("reviews")
    assert "pte/selection/unlabelled.py" in files
    assert ("pte/models/bow.py" in files) == ("bow" in methods)


def test_the_minutes_are_those_of_the_cores_of_the_run(values, reviews, monkeypatch):
    values["own"] = {"reviews": {"file": "reviews.csv", "minutes": 1}}
    methods = []
    for cores in (1, 8):
        monkeypatch.delenv("PTE_CORES", raising=False)
        prepare({}, cores)
        methods.append(load(values).fits.budget("reviews").methods)
    assert len(methods[0]) < len(methods[1])
    prepare({}, 1)
    assert os.environ["PTE_CORES"] == "8"


def test_a_run_says_how_long_it_may_take(values, reviews, monkeypatch):
    monkeypatch.setenv("PTE_CORES", "2")
    values["own"] = {"reviews": {"file": "reviews.csv"}}
    own = OwnTargets(Runs(load(values)))
    page = ("own_page", {"own": "reviews"})
    scores = [("score", {"corpus": "reviews", "method": name}) for name in own.methods("reviews")]
    curve = ("score", {"corpus": "reviews-labelled10-seed1", "method": "bow"})
    assert own.notices([curve, *scores]) == []
    assert own.notices([page]) == [
        "reviews: 1 job, about a minute; longer on a slow or busy machine"
    ]
    (line,) = own.notices([("warm_up", {}), *scores, curve, page])
    seconds = own.runs.study.fits.budget("reviews").seconds
    assert f"about {round((seconds / 2 + 60) / 60)} minutes, the first to compile" in line


@pytest.mark.parametrize(
    ("file", "content", "several"),
    [
        ("a.jsonl", '{"text": "x", "label": ["a", "b"]}\n{"text": "y", "label": "a"}\n', True),
        ("a.jsonl", '{"text": "x", "label": ["a"]}\n{"text": "y", "label": "b"}\n', False),
        ("a.jsonl", '{"text": "x", "label": ["a"]}\n' * 100 + "{broken\n", False),
        ("a.ft", "__label__a __label__b x\n__label__a y\n", True),
        ("a.svm", "a,b 1:1\na 1:1\n", True),
        ("a.svm", "a 1:1\nb 1:1\n", False),
    ],
)
def test_rows_that_cannot_run_take_no_share_of_the_time(
    values, reviews, capsys, file, content, several
):
    Path(file).write_text(content, "utf-8")
    study = load(values | {"own": {"mine": {"file": file}}})
    assert study.registries.corpora["mine"].several_labels == several
    assert (study.registries.why_not("mine", "nb_em") is not None) == several
    idle = [name for name in study.config.methods if study.registries.why_not("mine", name)]
    assert bool(idle) == (several or file.endswith("svm"))
    assert set(idle) - {"pte_joint_shuffled", "random"} <= set(study.fits.budget("mine").methods)
    assert capsys.readouterr().out == ""


def test_texts_of_two_folders_may_have_one_name(values, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("x", "y"):
        Path(folder).mkdir()
        (Path(folder) / "train.csv").write_text("text,label\ngood,5\nbad,1\n", "utf-8")
    own = {name: {"file": f"{name}/train.csv"} for name in ("x", "y")}
    study = load(values | {"own": own})
    assert [study.registries.archives[name].path for name in own] == ["x/train.csv", "y/train.csv"]
