"""The exceptions a user is meant to see."""


class PteError(Exception):
    """Bad input: the message names the file, key or argument and says what to do.

    It is raised for what you can mend: a parameter, a text, a label, a file, a setting. Catch it
    around `fit`, `load` or `KeyedVectors` to show the message to your own users. Estimators raise
    it as `pte.estimators.errors.BadInput`, which is a `ValueError`, too. For a word without a
    vector it is `pte.keyed_vectors.UnknownKey`, which is a `KeyError`, too. A model that was not
    fitted raises scikit-learn's `NotFittedError`.

    See Also
    --------
    pte.estimators.errors.BadInput : For an argument that an estimator cannot use.
    pte.keyed_vectors.UnknownKey : For a word without a vector.

    Examples
    --------
    >>> import pte
    >>> try:
    ...     pte.PTE(dim=0).fit(["the team won the match"])
    ... except pte.PteError as error:
    ...     print(error)
    dim is 0; it must be a whole number, at least 1
    """


class NotInstalled(PteError):
    """A method needs a package of the project's `extra` that is not installed.

    fastText raises it. The message tells the command that installs the extra.
    """

    def __init__(self, extra: str) -> None:
        """Make the message, which tells how to install the extra."""
        super().__init__(f"not installed: pip install pte[{extra}]")
