"""Predictive text embedding through large-scale heterogeneous text networks (KDD'15)."""

__version__ = "0.1.0"
