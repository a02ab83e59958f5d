"""The command `pte`, for files of text: it reads options and files, calls the library, and prints.

What computes is in the library; what needs a clone of the project is a target of Snakemake.
"""
