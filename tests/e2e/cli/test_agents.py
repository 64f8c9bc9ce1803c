"""`triage agents`: who may do what, for people and for machines."""

from tests.e2e.installation import Installation


def test_who_may_do_what_can_be_read(installation: Installation) -> None:
    """`triage agents` names each tool and deed whole at 80 columns; its JSON has the right of each kind of sender."""
    told = installation.triage("agents", COLUMNS="80").stdout.decode()
    closing = [line for line in installation.json("agents") if line["deed"] == "close a ticket"]

    assert max(map(len, told.splitlines())) <= 80
    assert {"Agent jira", "modify_jira_ticket"} <= {
        line.rstrip(" │").split(" │")[0].strip() for line in told.splitlines()
    }
    assert [line["rights"] for line in closing] == [
        {"verified participant": "a person", "verified stranger": "a person", "unverified": "a person", "failed": "no"}
    ]
