"""The numba core: explicit random state, alias tables, the negative-sampling step, edge sampling.

Nothing here does I/O or keeps state of its own. A kernel changes only arrays that it is given.
"""
