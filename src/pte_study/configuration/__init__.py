"""What config.yaml and the files of the registry say, read and checked.

What follows from it, such as jobs and files, is in `pte_study.plan`.
"""
