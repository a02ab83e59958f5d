"""The command `pte`: the library for files of text, without Python and without the workflow."""
