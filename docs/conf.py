"""How the site is built: `make site`.

The source folder is the whole project, so that a link between two files of the repository is the
same link on the site. Only the pages named below are built.
"""

import os
import sys
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # the API shows functions of Python
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import pte  # noqa: E402

project = "PTE, reproduced"
author = "the pte contributors"
version = release = pte.__version__
html_title = project

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docstrings",
    "sphinx.ext.napoleon",  # behind docstrings, whose listener comes first
    "accessible",
    "mathml",
    "packages",
    "published",
    "repository",
]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/api/*.md",
    "docs/api/*.rst",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "results/published/*.md",
    "results/published/measured/README.md",
]

exclude_patterns = [".*", "build", "logs", "resources", "site", "src", "tests", "workflow"]

# Text: the same Markdown that a forge shows.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # tables of results have headings of the third level alone
    "toc.not_included",  # they are in no menu; a test follows links to every page
]
highlight_language = "none"

# Code: from its docstrings. A name of `pte` that does not exist is an error.
autodoc_default_options = {"members": True, "show-inheritance": True, "member-order": "bysource"}
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_ivar = True  # properties have entries of their own
toc_object_entries = False  # the menu of each page would hold them all
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!pte\.).*"),
    ("py:obj", r"pte\.(\w+\.)+[A-Z]\w+\.\w+"),  # fields of a class, which its docstring tells
    ("py:(class|obj)", r"pte\..*\.(_\w+|Block|Kernel|Class|Candidate|Result|Value)"),  # private
]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_root"]
html_copy_source = False
html_show_copyright = False  # LICENSE tells
html_use_index = html_domain_indices = False  # search finds a name
html_theme_options = {"navigation_with_keys": True}
