"""From vectors to scores: document vectors, classifiers of one class against the rest, and F1.

Nothing here trains an embedding, nor chooses a hyperparameter: `pte.training` does.
"""
