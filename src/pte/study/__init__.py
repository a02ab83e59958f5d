"""The configuration and the registries, which say what is run, checked against each other."""
