"""The methods as scikit-learn estimators, which take text and return vectors or classes.

They check what users give and keep what was learnt; the learning itself is in `pte.models`.
"""

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
