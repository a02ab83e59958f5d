"""Scripts without spaces between words, by their characters."""

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Script:
    """A script without spaces between words."""

    ranges: tuple[tuple[int, int], ...]  # first and last code points of its characters
    most: int  # words are not apart if runs of its characters are longer than this in the mean

    @cached_property
    def runs(self) -> re.Pattern[str]:
        """A pattern that finds runs of its characters."""
        inside = (f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in self.ranges)
        return re.compile(f"[{''.join(inside)}]+")


WITHOUT_SPACES = {
    "Chinese or Japanese": Script(
        (
            (0x3005, 0x3007),  # signs that stand for characters of Han
            (0x3040, 0x30FF),  # Kana
            (0x3100, 0x312F),  # Bopomofo
            (0x31A0, 0x31BF),
            (0x31F0, 0x31FF),  # small Kana
            (0x3400, 0x4DBF),  # Han
            (0x4E00, 0x9FFF),
            (0xF900, 0xFAFF),
            (0xFF66, 0xFF9F),  # narrow Kana
            (0x1AFF0, 0x1B16F),  # rare Kana
            (0x20000, 0x3FFFF),  # rare Han
        ),
        most=4,
    ),
    "Thai": Script(((0x0E00, 0x0E7F),), most=10),
    "Lao": Script(((0x0E80, 0x0EFF),), most=10),
    "Khmer": Script(((0x1780, 0x17FF),), most=10),
    "Burmese": Script(((0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)), most=10),
}
"""The scripts by the names that messages give them."""
