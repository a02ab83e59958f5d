"""Archives, from their addresses or from a mirror of files."""
