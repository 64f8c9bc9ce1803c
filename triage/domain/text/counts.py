"""Counts in words, as messages tell them."""


def many(number: int, noun: str) -> str:
    """Return `1 case`, `0 cases`, `12,000 cases`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
