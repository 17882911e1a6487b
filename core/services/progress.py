"""How services say how far they are."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with (parts done, parts in all, what is being done)."""


def silent(done: int, total: int, text: str) -> None:
    """Say nothing: the progress of a caller that does not show any."""
