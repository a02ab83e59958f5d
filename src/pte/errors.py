"""The one exception a user is meant to see."""


class PteError(Exception):
    """Bad input: the message names the file, key or argument and says what to do."""
