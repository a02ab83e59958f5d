"""Gets archives, from their addresses, the package index or a mirror, and verifies them.

What is in an archive is not known here: the readers of `pte.corpora` read it.
"""
