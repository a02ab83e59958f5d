"""Formulas as MathML, which browsers show by themselves: no script, no font, no network."""

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

TAG = re.compile(r"\\tag\{(.+?)\}")


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula of a line."""
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    r"""Write a formula of its own line, with the number that `\tag` gives it."""
    latex = node.astext()
    tags = TAG.findall(latex)
    number = f'<span class="eqno">({tags[0]})</span>' if tags else ""
    formula = convert(TAG.sub("", latex).strip(), display="block")
    name = f' id="equation-{tags[0]}"' if tags else ""
    writer.body.append(f'<div class="math"{name}>{formula}{number}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer; as the only one it is the one that is used."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
