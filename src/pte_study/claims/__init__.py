"""The paper's claims, and how the runs lead to a verdict on each claim."""
