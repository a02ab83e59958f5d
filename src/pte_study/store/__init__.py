"""What is kept of runs: their records, where they come from, and how they are read again.

What is concluded from runs is in `pte_study.claims` and `pte_study.report`.
"""
