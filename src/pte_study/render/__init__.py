"""How results are shown, whatever they are: cells, tables, figures, pages."""
