"""Frames of runs become verdicts on what the paper claims."""
