"""Held-out parts of documents, and what methods choose with them: T, epochs, the classifier."""
