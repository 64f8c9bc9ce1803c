"""Names the browser of a session by its User-Agent, which proves nothing."""

from typing import Final

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Part of a `User-Agent` and the name; the first that is there, since most also claim to be those below."""
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
LONGEST: Final = 60


def browser_of(agent: str) -> str:
    """Return `Firefox on Windows`, or the beginning of what the browser says where nobody knows it."""
    browser = next((name for part, name in BROWSERS if part in agent), "")
    system = next((name for part, name in SYSTEMS if part in agent), "")
    known = " on ".join(filter(None, (browser, system))) if browser else ""
    return known or agent[:LONGEST] or "a browser that does not say which"
