"""The methods as scikit-learn estimators, which take text and return vectors or classes.

They check what users give and keep what was learnt; the learning itself is in `pte.models`.
"""
