"""`triage token` as a user has it."""

import json

from tests.e2e.installation import Installation


def test_a_token_is_made_listed_and_revoked(installation: Installation) -> None:
    """The token is printed once, alone on standard output; the list knows its beginning only."""
    made = installation.triage(
        "token", "create", "board", "--scope", "approver", "--person", "ada@example.com", "--days", "7"
    )
    text = made.stdout.decode().strip()
    listed = installation.triage("token", "list")
    told = installation.json("token", "list")
    revoked = installation.triage("token", "revoke", "1")

    assert made.returncode == 0, made.stderr
    assert (len(text), text[:7]) == (53, "triage_")
    assert text not in listed.stdout.decode()
    assert (told[0]["scope"], told[0]["person"], told[0]["revoked_at"]) == ("approver", "ada@example.com", None)
    assert "token 1 (board) is revoked" in revoked.stdout.decode()
    assert installation.json("token", "list")[0]["revoked_at"]


def test_wrong_use(installation: Installation) -> None:
    """An unknown number, scope or span is refused with exit code 2; without tokens the list says that the API is off."""
    unknown = installation.triage("token", "revoke", "9")

    assert (unknown.returncode, b"triage token list" in unknown.stderr) == (2, True)
    assert installation.triage("token", "create", "x", "--scope", "root").returncode == 2
    assert installation.triage("token", "create", "x", "--days", "0").returncode == 2
    assert b"the API is off" in installation.triage("token", "list").stdout
    assert json.loads(installation.triage("token", "list", "--json").stdout) == []
