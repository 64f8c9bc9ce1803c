"""A ticket that cannot be written to any more: deleted or moved away meanwhile, or full; nothing is lost, and it is told."""

import signal

import pytest

from tests.e2e.household import MAILS, Household

KNOWN = str(MAILS / "02-white-map-on-tablets.eml")


@pytest.mark.parametrize("fate", ["deleted", "moved"])
def test_the_ticket_is_gone_when_we_write(household: Household, fate: str) -> None:
    """The mail is no comment on what is not ours any more; how it ended says why, and no mail is lost."""
    died = household.triage("process", KNOWN, TRIAGE_CRASH_AT="step.act")
    with household.jira.client() as client:
        if fate == "deleted":
            client.delete("/rest/api/3/issue/HARB-12").raise_for_status()
        else:
            client.post("/__sandbox__/move", json={"issue": "HARB-12", "project": "HELP"}).raise_for_status()
    household.triage("work", "--until-idle")
    (case,) = household.json("cases")["cases"]

    assert died.returncode == -signal.SIGKILL
    assert household.jira.requests("POST", "/comment$") == []
    assert (case["state"], "HARB-12" in case["reason"]) == ("waiting", True), case


def test_the_ticket_takes_no_more_comments(household: Household) -> None:
    """Jira's cap on comments asks a person, with the ticket and Jira's words; the mail stays, and nothing is sent again."""
    site = household.jira.app.site
    usual, site.comment_limit = site.comment_limit, 0
    try:
        household.triage("process", KNOWN)
        household.triage("work", "--until-idle")
    finally:
        site.comment_limit = usual
    (case,) = household.json("cases")["cases"]

    assert (case["state"], household.comments("HARB-12")) == ("waiting", [])
    assert "HARB-12 takes no more of them" in case["reason"], case
    assert len(household.jira.requests("POST", "/comment$")) == 1
