"""Held-out parts of documents, and what methods choose with them: T, epochs, the classifier.

What learns and what scores is not here: `pte.models` and `pte.evaluation`.
"""
