"""What the system says a process has held."""

import resource
import sys
from pathlib import Path


def peak_mb() -> float:
    """The most memory this process ever had, in MB of 2^20 bytes.

    Linux hands `ru_maxrss` down from the process that started this one; its own peak is elsewhere.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        fields = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return int(fields["VmHWM"].split()[0]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
