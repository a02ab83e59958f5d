"""The command `pte`, for files of text: it reads options and files, calls the library, prints."""
