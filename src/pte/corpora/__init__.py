"""From archives and people's files to encoded corpora: readers, tokenisers, splits, arrays."""
