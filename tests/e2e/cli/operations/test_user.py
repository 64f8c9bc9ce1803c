"""`triage user` as a user has it."""

import json
import sys

import pexpect

from tests.conftest import PATIENCE
from tests.e2e.installation import Installation

RIVER = b"a calm river runs\n"


def test_accounts(installation: Installation) -> None:
    """Made, listed, given a role and a password, disabled and enabled; passwords come from standard input and are shown nowhere."""
    made = installation.triage("user", "add", "Ada@example.com", "--name", "Ada", "--role", "admin", stdin=RIVER)
    bob = installation.triage("user", "add", "bob@example.com", "--no-password")
    role = installation.triage("user", "role", "bob@example.com", "approver")
    password = installation.triage("user", "password", "2", stdin=b"another river runs")
    off = installation.json("user", "disable", "2")["disabled_at"]
    installation.triage("user", "disable", "2", "--undo")
    listed = json.loads(installation.triage("user", "list", "--json").stdout)
    table = installation.triage("user", "list").stdout.decode()

    assert made.stdout.decode().strip() == "account 1 is made: ada@example.com, admin"
    assert (bob.returncode, role.returncode, password.returncode) == (0, 0, 0), password.stderr
    assert [(one["address"], one["scope"], bool(one["disabled_at"])) for one in listed] == [
        ("ada@example.com", "admin", False),
        ("bob@example.com", "approver", False),
    ]
    assert off
    assert "Ada" in table
    assert "river" not in json.dumps(listed) + table
    assert "argon2" not in json.dumps(listed)


def test_what_is_refused(installation: Installation) -> None:
    """Weak passwords, no address, a taken one, an unknown account and the last admin: exit code 2, and why."""
    installation.triage("user", "add", "ada@example.com", "--role", "admin", stdin=RIVER)
    tries = (
        (("add", "bob@example.com"), b"password1234\n", b"first that are tried"),
        (("add", "bob@example.com"), b"", b"fewer than 12"),
        (("add", "bob"), RIVER, b"no e-mail address"),
        (("add", "ada@example.com"), RIVER, b"There is an account"),
        (("role", "bob@example.com", "admin"), b"", b"triage user list"),
        (("disable", "1"), b"", b"last admin"),
        (("erase", "1"), b"", b"disable it first"),
        (("role", "1", "root"), b"", b"root"),
    )
    for words, stdin, why in tries:
        done = installation.triage("user", *words, stdin=stdin)
        assert (done.returncode, why in done.stderr) == (2, True), (words, done.stderr)


def test_a_password_is_asked_for(installation: Installation) -> None:
    """On a terminal it is typed twice and never shown; what differs is asked again."""
    words = ["-m", "cli", "user", "add", "ada@example.com", "--role", "admin"]
    environment = installation.environment()
    with pexpect.spawn(sys.executable, words, env=environment, cwd=str(installation.folder), timeout=PATIENCE) as shell:
        for text in ("a calm river runs", "a calm river walks", "a calm river runs", "a calm river runs"):
            shell.expect("(Password|Repeat for confirmation): ")
            shell.waitnoecho()
            shell.sendline(text)
        shell.expect(pexpect.EOF)
        told = str(shell.before)

    assert "account 1 is made: ada@example.com, admin" in told
    assert "river" not in told
