"""The methods as scikit-learn estimators, which take text and return vectors or classes."""
