"""What people use: the methods as estimators, and the contest of methods on a text.

It checks what users give and keeps what was learnt; the learning itself is in `pte.models`.
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
