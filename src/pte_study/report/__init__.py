"""What is shown: a module for each table, figure or page.

How anything is drawn or written is in `pte_study.render`, and verdicts are in `pte_study.claims`.
"""
