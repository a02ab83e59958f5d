"""Cells, tables, figures and pages: how something is shown, whatever it is."""
