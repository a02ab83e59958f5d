"""Print the name, the version and the licence of each package that is installed here."""

from importlib.metadata import PackageMetadata, distributions


def licence(of: PackageMetadata) -> str:
    """Return the licence that a package states: an expression, classifiers, or a line of text."""
    named = [
        each.rpartition(" :: ")[2]
        for each in of.get_all("Classifier") or ()
        if "License ::" in each
    ]
    first_line = (of.get("License") or "").strip().partition("\n")[0]
    return of.get("License-Expression") or "; ".join(named) or first_line or "not stated"


found = {each.metadata["Name"]: each for each in distributions()}
for name in sorted(found, key=str.casefold):
    print(f"{name:40} {found[name].version:16} {licence(found[name].metadata)}")
