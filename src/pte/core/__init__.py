"""The numba core: explicit random state, alias tables, the negative-sampling step, edge sampling.

Nothing here does I/O or keeps state of its own; every array a kernel changes is an argument.
"""
