"""What the files of the configuration and of the registry say, read and checked."""
