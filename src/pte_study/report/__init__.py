"""Tables, figures and pages: a module for each, which says what is shown."""
