"""The contract of a method, what trainers share, and what held-out documents choose."""
