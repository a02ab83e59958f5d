"""Representations of words and documents: one file, one `fit`."""
