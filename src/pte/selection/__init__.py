"""The only place that holds documents out or chooses anything by their scores."""
