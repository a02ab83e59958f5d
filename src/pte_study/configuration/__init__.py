"""What config.yaml and the files of the registry say, read and checked."""
