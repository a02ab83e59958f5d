"""The methods as estimators of scikit-learn: text in, vectors or classes out."""
