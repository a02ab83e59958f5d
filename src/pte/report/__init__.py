"""From frames of scores to the tables and figures of the report; nothing here trains a model."""
