"""The methods, one file or folder each: a `SPEC` and a `fit` (`pte.training.contract`)."""
