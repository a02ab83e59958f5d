"""What the site changes in pages that are made for the repository."""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

PUBLISHED = "results/published/"
TITLES = {
    "maps-20ng": "Maps of 20ng",
    "provenance": "How the results were made",
    "table1": "The corpora",
}
"""Of published tables whose captions are longer than a title."""
WIDE = ("docs/findings", "docs/claims")
"""Pages that have wide tables of results, too."""


def give_title(app: Sphinx, name: str, source: list[str]) -> None:
    """Give a published table its caption as a title."""
    if name.startswith(PUBLISHED) and not source[0].startswith("# "):
        caption, _, rest = source[0].partition("\n")
        stem = name.removeprefix(PUBLISHED)
        title = TITLES.get(stem)
        source[0] = f"# {title}\n\n{source[0]}" if title else f"# {caption}\n{rest}"


def widen(app: Sphinx, doctree: nodes.document) -> None:
    """Let site.css give pages with wide tables more room, and those of published tables most."""
    name = app.env.docname
    if name.startswith(PUBLISHED):
        classes = ["wide", "published"]
    elif name in WIDE:
        classes = ["wide"]
    else:
        return
    for section in doctree.children:
        section["classes"] += classes


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
    app.connect("doctree-read", widen)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
