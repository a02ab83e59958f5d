"""The exceptions a user is meant to see."""


class PteError(Exception):
    """Bad input: the message names the file, key or argument and says what to do."""


class NotInstalled(PteError):
    """A method needs a package of the project's `extra` that is not installed."""

    def __init__(self, extra: str) -> None:
        """Make the message, which tells how to install the extra."""
        super().__init__(f"not installed: pip install pte[{extra}]")
