"""How many inputs are tried, and a last line that says so."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from inputs import tried

INPUTS = int(os.environ.get("PTE_INPUTS", "25"))
"""For each reader: a few, or as many as PTE_INPUTS says."""

settings.register_profile(
    "fuzz",
    settings.get_profile("pte"),
    max_examples=INPUTS,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if tried:
        each = ", ".join(f"{name} {count}" for name, count in tried.items())
        terminalreporter.write_line(f"{sum(tried.values()):,} damaged inputs: {each}")
