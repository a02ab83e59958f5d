"""Tables, figures and pages: one file for each, which says what is shown."""
