"""The methods. Each has a file or folder that keeps the contract of `pte.training.contract`.

What several trainers share is in `pte.training`, and classifiers of vectors in `pte.evaluation`.
"""
