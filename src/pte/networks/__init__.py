"""Text networks: word–word, word–document, word–label, or any weighted bipartite network."""
