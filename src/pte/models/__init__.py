"""The methods. Each has a file or folder with a `SPEC` and a `fit` (`pte.training.contract`)."""
