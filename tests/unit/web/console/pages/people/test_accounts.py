"""Names of browsers."""

import pytest

from web.console.pages.people.accounts import browser_of

MOZILLA = "Mozilla/5.0"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (f"{MOZILLA} (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
        (f"{MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome on Linux"),
        (f"{MOZILLA} (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        (f"{MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari on iPhone"),
        (f"{MOZILLA} (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("Windows", "Windows"),
        ("x" * 300, "x" * 60),
        ("", "a browser that does not say which"),
    ],
)
def test_names(agent: str, name: str) -> None:
    """As people call them; what nobody knows is cut."""
    assert browser_of(agent) == name
