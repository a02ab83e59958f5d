"""Corpora: fetching, reading, tokenising, and the encoded corpus on disk."""
