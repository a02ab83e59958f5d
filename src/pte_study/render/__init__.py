"""Cells, tables, figures and pages: how any results are shown."""
