"""Text networks: what counts, stores and draws their edges; nothing here trains."""
