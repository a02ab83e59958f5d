"""The directive `modules`: a package, and each of its modules under a heading of its own."""

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles

SOURCE = Path(__file__).parents[2] / "src"


def names(package: str) -> list[str]:
    """The package and its modules, by their dotted names, in the order of the alphabet."""
    folder = SOURCE.joinpath(*package.split("."))
    paths = [path.relative_to(SOURCE).with_suffix("") for path in folder.rglob("*.py")]
    dotted = {".".join(path.parts).removesuffix(".__init__") for path in paths}
    return sorted(dotted - {package})


class Modules(SphinxDirective):
    """Document the modules of the package that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the documentation, in sections."""
        lines = [f".. automodule:: {self.arguments[0]}", ""]
        for name in names(self.arguments[0]):
            lines += [name, "-" * len(name), "", f".. automodule:: {name}", ""]
        parent = nodes.section()
        parent.document = self.state.document
        nested_parse_with_titles(self.state, StringList(lines, self.arguments[0]), parent)
        return list(parent.children)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("modules", Modules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
