"""Says where a file is not UTF-8."""


def not_utf8(e: UnicodeDecodeError) -> str:
    """Return what is wrong with a file that was decoded whole, with its first wrong line and the cure."""
    line = e.object.count(b"\n", 0, e.start) + 1
    return f"is not UTF-8 (line {line}); save it again in this encoding"
