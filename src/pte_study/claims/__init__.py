"""The paper's claims, which the registry holds, and how runs lead to verdicts on them."""
