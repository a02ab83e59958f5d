"""Vectors become scores: document vectors, LIBLINEAR one-vs-rest, F1."""
