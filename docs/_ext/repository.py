"""What the site changes in pages that are made for the repository."""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def give_title(app: Sphinx, name: str, source: list[str]) -> None:
    """Give a published table, which begins with a sentence, the name of its file as a title."""
    if name.startswith("results/published/") and not source[0].startswith("# "):
        source[0] = f"# {name.rpartition('/')[2]}\n\n{source[0]}"


def unlink_folders(app: Sphinx, doctree: nodes.document) -> None:
    """Turn links to folders, which the site does not have, into plain text.

    A link to something that is not there stays, and fails.
    """
    here = Path(str(doctree["source"])).parent
    for link in list(doctree.findall(addnodes.pending_xref)):
        target = str(link["reftarget"])
        if link.get("reftype") == "myst" and target and (here / target).is_dir():
            link.replace_self(link.children[0].children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Listen to each page that is read."""
    app.connect("source-read", give_title)
    app.connect("doctree-read", unlink_folders)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
