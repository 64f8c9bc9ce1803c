"""The address that a server listens at: what is said where it cannot be had."""

import pytest

from tests.e2e.installation import Installation
from tests.e2e.running import running


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        ({"WEBHOOK_SECRET": "short"}, "WEBHOOK_SECRET: 5 bytes are too few"),
        ({"HOST": "192.0.2.1"}, "HOST, PORT: cannot listen on 192.0.2.1"),
    ],
    ids=["secret", "address"],
)
def test_a_door_that_cannot_open_says_why(open_app: Installation, more: dict[str, str], hint: str) -> None:
    """Exit code 2 and the variable to mend, before any mail is taken."""
    open_app.extra |= more
    done = open_app.triage("serve")

    assert (done.returncode, hint in done.stderr.decode(), "Traceback" in done.stderr.decode()) == (2, True, False)


def test_two_doors_want_one_port(open_app: Installation) -> None:
    """The second one is told that the address is taken."""
    with running(open_app, "serve") as first:
        open_app.extra["PORT"] = first.url.rpartition(":")[2]
        second = open_app.triage("serve", "--no-work")

    assert (second.returncode, "Address already in use" in second.stderr.decode()) == (2, True)
