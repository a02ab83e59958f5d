"""The study of the paper: what is run, what is kept, what is shown.

It imports `pte`, never the reverse, and computes no vector and no score itself.
"""
