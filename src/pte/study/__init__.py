"""What is run: the configuration and the registries, checked against each other."""
