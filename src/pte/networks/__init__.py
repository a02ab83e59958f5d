"""Text networks: a file for each kind, what counts and stores their edges, and what draws them.

Nothing here trains: `pte.training` does, and it knows a network only by its sampler.
"""
