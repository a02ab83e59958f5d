"""What trainers share: the contract of a method, settings, draws, threads and results."""
