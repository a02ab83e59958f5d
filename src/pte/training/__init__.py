"""What trainers share: the contract of a method, settings, draws, threads, rounds, results.

The loops that run for each edge are kernels of `pte.core`, and each method is in `pte.models`.
"""
