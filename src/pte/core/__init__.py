"""The numba core. Nothing here does I/O, and a kernel changes only arrays that it is given."""
