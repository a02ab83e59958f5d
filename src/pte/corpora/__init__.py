"""From archives and people's files to encoded corpora: readers, tokenisers, splits, arrays.

What fetches archives is in `pte_study.fetch`, and what is made of a corpus is in `networks`.
"""
