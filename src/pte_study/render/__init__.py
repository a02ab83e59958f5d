"""How results are shown, whatever they are: cells, tables, figures, pages.

Which results are shown is not known here: see `pte_study.report`.
"""
