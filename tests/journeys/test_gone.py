"""A ticket that is deleted or moved away between the search and the write: nothing foreign is touched, and it is told."""

import signal

import pytest

from tests.journeys.household import MAILS, Household

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
