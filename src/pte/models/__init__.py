"""The methods. Each has a file or folder that keeps the contract of `pte.training.contract`."""
