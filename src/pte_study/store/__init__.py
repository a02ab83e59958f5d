"""What is kept of runs: their records, where they come from, and how they are read again."""
