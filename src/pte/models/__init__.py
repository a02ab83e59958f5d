"""The methods. Each has a file or folder with a `SPEC` and a `fit` (`pte.training.contract`).

What several trainers share is in `pte.training`, and classifiers of vectors in `pte.evaluation`.
"""
