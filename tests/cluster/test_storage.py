"""Results in a storage, as profiles/kubernetes has them: the plan alone."""

from workflow.conftest import Checkout, write_checkout


def test_files_of_the_checkout_are_not_looked_for_in_the_storage(tmp_path):
    write_checkout(tmp_path)
    made = Checkout(tmp_path / "checkout", tmp_path / "mirror")
    storage = ("--default-storage-provider", "fs", "--default-storage-prefix", str(tmp_path))
    for target in ("quickstart", "table1", "curves"):
        assert made.plan(target, *storage, "--shared-fs-usage", "none")
