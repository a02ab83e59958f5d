"""The numbers of the parts of a corpus, and the number for a document without a label."""

TRAIN, TEST = 0, 1
"""The values of `EncodedCorpus.split` and of `Document.part`."""

UNLABELLED = -1
"""The value of `EncodedCorpus.labels` for a document without a label."""
