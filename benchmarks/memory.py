"""What the system says a process has held."""

from pte.machine import peak_memory


def peak_mb() -> float:
    """The most memory this process ever had, in MB of 2^20 bytes."""
    return peak_memory() / 2**20
