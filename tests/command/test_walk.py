"""From a sheet of 600 messages to a filled one: commands print what docs/own-text.md shows."""

import shlex
import shutil

import pandas as pd
import pytest
from blocks import ROOT, blocks, is_shown, session
from click.testing import CliRunner

from pte.command.main import app

PAGE = ROOT / "docs" / "own-text.md"
WRONG = {1040, 1043, 1061, 1091, 1093, 1119}


@pytest.mark.long
def test_each_command_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("tickets.csv", "reviewed.csv"):
        shutil.copy(PAGE.parent / name, name)
    for block in blocks(PAGE):
        for command, page in session(block.text) if block.kind == "console" else ():
            said, _, typed = command.rpartition(" | ")
            given = shlex.split(said)[1] + "\n" if said else None
            done = CliRunner().invoke(app, shlex.split(typed)[1:], input=given)
            assert done.exit_code == 0, done.output
            assert is_shown(done.output, page), f"{page}--- is not in ---\n{done.output}"
    first = pd.read_csv("review.csv")[:10]
    assert {*first["id"]} >= WRONG
    topics = pd.read_csv("filled.csv", index_col="ticket")["topic"]
    assert topics.notna().all() and topics[1040] == "billing"
