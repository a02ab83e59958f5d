"""The paper's claims, and how the runs lead to a verdict on each claim.

The claims themselves are data in the registry, and their pages are in `pte_study.report`.
"""
