"""What jobs make, from what, with which parameters and with which code."""
