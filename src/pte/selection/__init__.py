"""The only place that splits documents, and what is chosen with the parts: T, epochs, C."""
