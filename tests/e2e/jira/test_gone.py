"""A ticket that cannot be written to any more: deleted or moved away meanwhile, or full; nothing is lost, and it is told."""

import signal

import pytest

from tests.e2e.installation import MAILS, Installation

KNOWN = str(MAILS / "02-white-map-on-tablets.eml")


@pytest.mark.parametrize("fate", ["deleted", "moved"])
def test_the_ticket_is_gone_when_we_write(installation: Installation, fate: str) -> None:
    """The mail is no comment on what is not ours any more; how it ended says why, and no mail is lost."""
    died = installation.triage("process", KNOWN, TRIAGE_CRASH_AT="effect.intent")
    with installation.jira.client() as client:
        if fate == "deleted":
            client.delete("/rest/api/3/issue/HARB-12").raise_for_status()
        else:
            client.post("/__sandbox__/move", json={"issue": "HARB-12", "project": "HELP"}).raise_for_status()
    installation.triage("work", "--until-idle")
    (case,) = installation.json("cases")["cases"]

    assert died.returncode == -signal.SIGKILL
    assert installation.jira.requests("POST", "/comment$") == []
    assert (case["state"], "HARB-12" in case["reason"]) == ("waiting", True), case


def test_the_ticket_takes_no_more_comments(installation: Installation) -> None:
    """Jira's cap on comments asks a person, with the ticket and Jira's words; the mail stays, and nothing is sent again."""
    site = installation.jira.app.site
    usual, site.comment_limit = site.comment_limit, 0
    try:
        installation.triage("process", KNOWN)
        installation.triage("work", "--until-idle")
    finally:
        site.comment_limit = usual
    (case,) = installation.json("cases")["cases"]

    assert (case["state"], installation.comments("HARB-12")) == ("waiting", [])
    assert "HARB-12 takes no more of them" in case["reason"], case
    assert len(installation.jira.requests("POST", "/comment$")) == 1
