"""What every trainer shares: plan, draws, turns, threads, hot rows, progress, result."""
