"""What people and their programs do to tables."""

from collections import Counter

import pytest

from pte.errors import PteError
from pte.tables.columns import Options
from pte.tables.documents import read_labelled
from pte.tables.label_checks import label_findings
from pte.tables.table import open_table

ROWS = "".join(f"text number {i},{'ab'[i % 2]}\n" for i in range(6))


@pytest.mark.parametrize(("above", "row"), [("Export of 2024,\n,\n", 3), ("Export of 2024\n", 2)])
def test_titles_above_the_names_of_columns_are_named(above, row, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"{above}text,label\n{ROWS}")
    with pytest.raises(PteError, match=f"row {row} looks like the names of columns"):
        read_labelled(str(path), {})


def test_a_last_ctrl_z_is_left_out(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_bytes(f"text,label\n{ROWS}\x1a".encode())
    assert len(read_labelled(str(path), {}).texts) == 6
    assert "without its last Ctrl-Z" in capsys.readouterr().err


def test_a_number_picks_one_of_two_columns_of_one_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,label,text\nold,a,new\nelder,b,newer\n")
    table = open_table(str(path), Options(text="3", label="2"))
    assert table.options.label == "label"
    assert list(table.column(table.options.text)) == ["new", "newer"]
    with pytest.raises(PteError, match="rename one, or give its number"):
        open_table(str(path), Options(text="text"))


def test_labels_that_a_spreadsheet_made_dates_are_named():
    named = [(name,) for name in ("1-2", "02-Jan", "3-5") for _ in range(4)]
    classes = Counter(name for (name,) in named)
    found = {each.what: each.message for each in label_findings(named, classes, True)}
    assert "'02-Jan' may be a label such as '1-2'" in found["dates"]
    assert "dates" not in {each.what for each in label_findings(named[:4], classes - classes, True)}
