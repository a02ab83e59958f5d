"""What jobs make, from what, with which parameters and with which code.

Snakemake's rules ask here; the names of all files are in `pte_study.paths`.
"""
