"""The parts of a corpus and the label of a document without one, as numbers."""

TRAIN, TEST = 0, 1
"""The values of `EncodedCorpus.split` and of `Document.part`."""

UNLABELLED = -1
"""The label of a document that has none."""
