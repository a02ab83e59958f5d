"""The parts that trainers share: plan, draws, turns, threads, hot rows, progress, result."""
