"""People's files: which rows, which text, which labels, and how they come back.

`read` finds out what a file holds and makes `Documents` of it, `checks` judges these, and
`write_back` gives a table back with predictions in it.
"""
