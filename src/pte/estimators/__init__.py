"""The methods as scikit-learn estimators, which take text and return vectors or classes.

They check what users give and keep what was learnt; the learning itself is in `pte.models`.
"""

import re

ESTIMATORS = {
    "LINE": "networks",
    "PTE": "networks",
    "PTEAuto": "auto",
    "PTEClassifier": "classifier",
    "ParagraphVector": "paragraph_vector",
    "SkipGram": "skip_gram",
    "TextClassifier": "text_classifier",
}
"""The module here of each estimator. `pte` offers these classes, and a model file holds one."""

BY_NAME = {
    re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower(): name
    for name in ESTIMATORS
    if name != "PTEClassifier"  # `pte` is compared instead, with the C that serves it best
}
"""The estimators by the names of their methods in the command, such as "skip-gram"."""
