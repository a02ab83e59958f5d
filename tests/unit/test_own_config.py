"""What config.yaml and the command line say of a user's own text."""

import os
import sys
from pathlib import Path

import pytest
from made import configured

from pte.errors import PteError
from pte_study.configuration.own import clean, from_command_line
from pte_study.plan.environment import prepare
from pte_study.plan.fingerprint import Sources
from pte_study.plan.own_targets import STARTING, OwnTargets
from pte_study.plan.study import Study

ROOT = Path(__file__).parents[2]


@pytest.fixture
def values():
    return configured()


@pytest.fixture
def reviews(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("reviews.csv").write_text("review,stars\ngood,5\nbad,1\n" + "good,5\nbad,1\n" * 3, "utf-8")
    return Path("reviews.csv")


def load(values):
    return Study.load(values, ROOT / "workflow")


def test_keys_of_the_command_line_become_an_entry():
    given = {"corpus": "My reviews-2.csv.gz", "label": "1", "folds": "3", "minutes": "2", "x": 1}
    assert from_command_line(given) == {
        "x": 1,
        "own": {
            "my_reviews_2": {
                "file": "My reviews-2.csv.gz",
                "label": "1",
                "folds": 3,
                "minutes": 2,
            }
        },
    }


def test_how_a_table_is_written_goes_to_the_jobs_and_to_the_command(values, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("5;good film\n1;bad film\n?;none\n5;good\n1;bad\n", "utf-8")
    given = {"corpus": "a.csv", "text": "2", "label": "1", "header": "false", "missing": "?"}
    given |= {"same": "5=five", "ignore_case": "true"}
    entry = from_command_line(given | {"delimiter": ";"})["own"]["a"]
    assert entry["header"] is False
    targets = OwnTargets(load(values | {"own": {"a": entry}}))
    found = targets.given("a")["values"]
    assert (found["header"], found["delimiter"], list(found["missing"])) == (False, ";", ["?"])
    command = "pte fit a.csv --text 2 --label 1 --missing '?' --delimiter ';' --no-header"
    command += " --same 5=five --ignore-case"
    assert targets.told("a")["command"] == command


def test_a_list_of_the_command_line_is_a_list():
    given = {"corpus": "a.csv", "missing": ["unknown", "-"], "same": ["a=b", "c=d"]}
    entry = from_command_line(given)["own"]["a"]
    assert entry == {"file": "a.csv", "missing": ["unknown", "-"], "same": ["a=b", "c=d"]}


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
        ({"corpus": None}, r"--config corpus=: it is empty; name the file"),
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
        ("x.txt.gz", "x"),
        ("reviews.2024.csv", "reviews_2024"),
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


def test_other_corpora_are_given_what_they_were(values, reviews):
    before = load(values)
    values["own"] = {"reviews": {"file": "reviews.csv"}}
    after = load(values)
    for method in before.registries.methods:
        assert before.fits.plan("r8", method) == after.fits.plan("r8", method)
    assert before.tables == after.tables


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"a": {"file": "no.csv"}}, r"no\.csv: no such file; check the path"),
        (
            {"a": {"file": "reviews.csv", "tekst": "x"}},
            r"own\.a: unknown key 'tekst'; did you mean 'te",
        ),
        ({"a": {"text": "x"}}, r"own\.a: 'file' is a required"),
        ({"a": {"file": "reviews.csv", "folds": 1}}, r"own\.a\.folds: 1 is less"),
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
            r"^reviews\.csv: no column 'txt' for `text`; there are 'review', 'stars'$",
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


def test_a_separator_that_the_command_line_loses_is_told_with_the_way_out(values, reviews):
    with pytest.raises(PteError, match=r"Snakemake reads \| and > .*; write these into config\.ya"):
        load(values | {"corpus": "reviews.csv", "separator": ""})
    own = {"a": {"file": "reviews.csv", "separator": ""}}
    with pytest.raises(PteError, match=r"^reviews\.csv: the separator is empty; .*separator=…$"):
        load(values | {"own": own})


def test_a_key_that_is_like_no_other_gets_no_advice(values, reviews):
    with pytest.raises(PteError, match="unknown key 'zzzz'; known are choices,") as fault:
        load(values | {"zzzz": 1})
    assert "did you mean" not in str(fault.value)


def content_of(values, file):
    """What a plan knows of the content of a text."""
    return planned(values, file=str(file)).text("mine").content


def test_the_content_of_a_folder_changes_with_its_files_and_not_with_their_times(
    values, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mine"
    for name in ("good", "bad"):
        (folder / name).mkdir(parents=True)
        for i in range(2):
            (folder / name / f"{i}.txt").write_text(f"a {name} film")
    found = [content_of(values, folder)]
    (folder / "good" / "2.txt").write_text("b")
    found.append(content_of(values, folder))
    os.utime(folder / "good" / "2.txt", ns=(1, 1))
    assert content_of(values, folder) == found[-1]
    (folder / "good" / "2.txt").write_text("c")
    found.append(content_of(values, folder))
    (folder / "good" / "1.txt").unlink()
    found.append(content_of(values, folder))
    assert len(set(found)) == 4


def test_a_text_is_read_once(values, reviews, monkeypatch):
    own = {"file": "reviews.csv"}
    first = planned(values, **own).text("mine")
    for module, name in (("Contested", "read"), ("sha256_of", None)):
        refused = f"pte_study.plan.own_texts.{module}{'.' + name if name else ''}"
        monkeypatch.setattr(refused, lambda *_: pytest.fail("read again"))
    assert planned(values, **own).text("mine") == first
    kept = Path(".snakemake/own/mine.json")
    kept.write_text(kept.read_text().replace("trials", "tirals"))
    with pytest.raises(pytest.fail.Exception, match="read again"):
        planned(values, **own).text("mine")


def test_the_words_beside_a_bag_of_words_are_part_of_its_content(values, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("news.svmlight").write_text("a 1:1\nb 1:1\n" * 2)
    found = [content_of(values, "news.svmlight")]
    for words in ("one", "another"):
        Path("news.vocabulary.txt").write_text(f"{words}\n")
        found.append(content_of(values, "news.svmlight"))
    assert len(set(found)) == 3


def test_repeated_folds_and_late_second_labels_are_planned(values, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f'{{"text": "a film", "label": "{i % 2}"}}\n' for i in range(1200)]
    Path("many.jsonl").write_text("".join([*rows, '{"text": "x", "label": ["0", "1"]}\n']))
    Path("few.jsonl").write_text("".join(rows[:50]))
    facts = planned(values, file="many.jsonl").text("mine").facts
    assert (facts.several, facts.trials, facts.repeats) == (True, 5, 1)
    few = planned(values, file="few.jsonl")
    facts = few.text("mine").facts
    assert (facts.several, facts.trials, facts.repeats) == (False, 20, 4)
    lineup = few.plan("mine")
    assert lineup.curve_seconds("bow") == 2 * lineup.expected["bow"] / 4


def planned(values, **own):
    """The targets of a study with one text, called mine."""
    return OwnTargets(load(values | {"own": {"mine": own}}))


def test_the_minutes_are_those_of_the_cores_of_the_run(values, reviews):
    text = "review,stars\n" + "a good film with a long name,5\n" * 20_000 + "bad,1\n" * 2
    reviews.write_text(text, "utf-8")
    methods = []
    for cores in (1, 64):
        os.environ.pop("PTE_CORES", None)
        prepare({}, cores)
        methods.append(planned(values, file="reviews.csv", minutes=1).plan("mine").methods)
    assert set(methods[0]) < set(methods[1])
    prepare({}, 1)
    assert os.environ["PTE_CORES"] == "64"


def test_a_run_says_how_long_it_may_take(values, reviews, monkeypatch):
    monkeypatch.setenv("PTE_CORES", "2")
    text = "review,stars\n" + "a good film with a long name,5\n" * 20_000 + "bad,1\n" * 2
    reviews.write_text(text, "utf-8")
    own = planned(values, file="reviews.csv")
    trials = [
        ("own_trial", {"own": "mine", "method": method, "fold": part})
        for method in own.plan("mine").methods
        for part in own.parts("mine", method)
    ]
    page = ("own_page", {"own": "mine"})
    assert own.notices(trials) == []
    assert own.notices([page])[0].startswith("mine: 1 job, about ")
    (line,) = own.notices([*trials, page])
    seconds = sum(own.plan("mine").expected.values()) + STARTING * (len(trials) + 1)
    assert f"about {round(seconds / 2 / 60)} minutes" in line


def test_a_checkout_in_a_folder_with_a_space_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my texts/.venv/bin/python")
    with pytest.raises(PteError, match="a folder whose path has a space; move the checkout"):
        prepare({}, 1)


@pytest.mark.parametrize(
    ("name", "declared"), [("a b.csv", 1), ("a{b}.csv", 0), ("a\nb.csv", 0), ("a<b>$'c.csv", 1)]
)
def test_a_name_that_snakemake_misreads_is_no_input(values, reviews, name, declared):
    reviews.rename(name)
    own = planned(values, file=name)
    assert own.declared("mine") == [name] * declared
    assert own.given("mine")["file"] == name


def test_a_file_with_a_split_has_one_job_for_each_method(values, reviews):
    reviews.write_text("text,label,part\na,x,train\nb,y,train\nc,y,test\n", "utf-8")
    own = planned(values, file="reviews.csv", split="part", minutes=60)
    assert own.n_folds("mine") == 1
    assert {part for m in own.plan("mine").methods for part in own.parts("mine", m)} <= {"0", "all"}


def test_the_advised_command_names_no_ids(values, reviews):
    """So does that of `pte evaluate`: ids do not decide what is learnt."""
    reviews.write_text("text,label,key\na,x,1\nb,y,2\nc,x,3\nd,y,4\n", "utf-8")
    told = planned(values, file="reviews.csv", id="key").told("mine")
    assert told["command"] == "pte fit reviews.csv"


def test_results_of_two_files_never_share_a_folder(values, reviews):
    own = planned(values, file="reviews.csv")
    assert own.pages() == ["results/own/mine/index.html"]
    Path("results/own/mine").mkdir(parents=True)
    Path("results/own/mine/contest.json").write_text('{"file": "reviews.csv"}', "utf-8")
    assert own.pages()
    Path("results/own/mine/contest.json").write_text('{"file": "b/reviews.csv"}', "utf-8")
    with pytest.raises(PteError, match=r"results of b/reviews\.csv; add name=ANOTHER"):
        own.pages()
    Path("results/own/mine/contest.json").unlink()
    own.text("mine")
    Path("other.csv").write_text(reviews.read_text())
    with pytest.raises(PteError, match=r"results of .*/reviews\.csv; add name=ANOTHER"):
        planned(values, file="other.csv").pages()


def test_without_a_text_the_target_says_what_to_do(values):
    with pytest.raises(PteError, match="own: no text is named; add --config corpus=FILE"):
        OwnTargets(load(values)).pages()


def test_a_trial_depends_on_the_code_of_its_method(values, reviews, monkeypatch):
    monkeypatch.setattr("pte_study.plan.study._fingerprint", Sources().closure)
    own = planned(values, file="reviews.csv")
    files = own.code("mine", "own_trial", "bow")
    assert "pte/models/bow.py" in files and "pte/classify/learning.py" in files
    assert "pte/corpora/readers/delimited.py" in files
    assert "pte/models/nb_em.py" not in own.code("mine", "own_trial", "majority")
    assert "pte/networks/wl.py" in own.code("mine", "own_trial", "pte_joint")
    assert own.entries("pte_joint")["pte_joint"]["phases"] == [["ww", "wd", "wl"]]
    assert own.entries("cnn_pretrain").keys() > {"cnn_pretrain"}
