"""The groups of methods, as the figures show them."""

GROUPS = {
    "baseline": ("baselines", "#009E73"),
    "unsupervised": ("unsupervised embeddings", "#0072B2"),
    "predictive": ("predictive embeddings", "#D55E00"),
    "extra": ("beyond the paper", "#E69F00"),
    "control": ("controls", "#CC79A7"),
}
"""The label and the colour of each group."""
