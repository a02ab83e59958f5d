"""From vectors to scores: document vectors, classifiers of one class against the rest, and F1."""
