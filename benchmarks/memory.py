"""What the system says a process has held."""

import resource
import sys


def peak_mb() -> float:
    """The most memory this process ever had, in MB of 2^20 bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
