"""People's files: which rows, which text, which labels, and how they come back."""
