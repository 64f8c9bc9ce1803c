"""A database of an older version goes on under the code of now: running cases, parked approvals, interrupted runs, floods."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from cli.demo.prompt_reader import PromptReader
from integrations.sql.migrations import HEAD
from tests.e2e.installation import Installation
from tests.e2e.old_version import OLD, restore, restore_postgres, version
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira import jira_app
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

NEW: Final = "a ticket that is made now"
LAST: Final = 90
"""Number of the newest ticket that the old version has made."""

ENDED: Final = {
    1: ("ticketed", "HARB-71"),
    2: ("commented", "HARB-12"),
    3: ("ignored", ""),
    4: ("quarantined", ""),
    8: ("ticketed", "HARB-72"),
    9: ("waiting", ""),
    10: ("updated", "HARB-45"),
    11: ("ignored", ""),
    14: ("ticketed", "HARB-73"),
    63: ("ticketed", "HARB-89"),
    64: ("ticketed", "HARB-90"),
    **dict.fromkeys((65, 67, 68, 69), ("commented", "HARB-89")),
}
"""Cases that had their end, and keep it."""

PARKED: Final = {
    12: ("waiting", ""),
    13: ("waiting", ""),
    15: ("waiting", "HARB-73"),
    20: ("waiting", ""),
    21: ("waiting", ""),
}
"""Cases that a person was asked about, and has not answered."""

UNDER_WAY: Final = {
    16: ("updated", "HARB-31"),  # accepted, nothing of it done
    17: ("updated", "HARB-36"),  # accepted, the transition intended, not sent
    18: ("updated", "HARB-42"),  # accepted, the transition done
    19: ("ignored", ""),  # rejected
    22: ("ignored", ""),  # superseded by what was accepted
    23: ("updated", "HARB-21"),  # accepted, nothing of it done
    **dict.fromkeys(range(24, 34), ("ticketed", NEW)),  # pipeline, before Jira has a ticket
    34: ("ticketed", "HARB-74"),  # in Jira, not in the ledger
    35: ("ticketed", "HARB-75"),  # in the ledger, not in the run's journal
    36: ("ticketed", "HARB-76"),  # decided, each of these one step further
    37: ("ticketed", "HARB-77"),
    38: ("ticketed", "HARB-78"),
    39: ("ticketed", "HARB-79"),
    40: ("ticketed", "HARB-80"),
    **dict.fromkeys(range(41, 46), ("ticketed", NEW)),  # agent route, before Jira has a ticket
    46: ("ticketed", "HARB-81"),  # in Jira, not in the ledger
    47: ("ticketed", "HARB-82"),  # decided, each of these one step further
    48: ("ticketed", "HARB-83"),
    49: ("ticketed", "HARB-84"),
    50: ("ticketed", "HARB-85"),
    51: ("ticketed", "HARB-86"),
    52: ("commented", "HARB-19"),  # intended, not sent
    53: ("commented", "HARB-58"),  # in Jira, not in the ledger
    54: ("ticketed", NEW),  # interrupted between two turns
    55: ("ticketed", NEW),  # the same by a model in trouble
    56: ("ticketed", "HARB-87"),  # unknown, and in Jira
    57: ("ticketed", NEW),  # unknown, and not in Jira
    58: ("commented", "HARB-57"),  # unknown, and in Jira
    59: ("waiting", ""),  # parked, the case had not come to its end
    60: ("ticketed", NEW),
    61: ("commented", NEW),  # an answer to 60 joins its ticket
    62: ("ticketed", "HARB-88"),  # replayed: what was made stands
    66: ("commented", "HARB-89"),  # held, comes back to tell of the flood's rest
    **dict.fromkeys(range(70, 74), ("ticketed", NEW)),  # accepted, not read
}
"""Cases that the old version had not brought to rest, and how it would have ended them."""

INTERRUPTED: Final = (31, 43, 54, 55, 62)
"""Those whose model had answered, and was still to be asked for more."""

UNTOUCHED: Final = {24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 41, 42, 43, 44, 45, 54, 55, 57, 60, 70, 71, 72, 73}
"""Those of which Jira had nothing."""

DECISIONS: Final = (
    (3, "case-12: updated, HARB-22: moved to Done.", "HARB-22"),
    (4, "case-13: updated, HARB-37: changed.", "HARB-37"),
    (5, "case-15: commented, HARB-73: commented. HARB-73: moved to To Do.", "HARB-73"),
    (11, "case-21: updated, HARB-27: changed.", "HARB-27"),
    (14, "case-59: updated, HARB-55: moved to Done.", "HARB-55"),
)
"""What waits for a person, what is said when it is accepted, and which ticket it changes."""

WRITTEN: Final = """
    SELECT ticket.key, value FROM {entity} JOIN ticket ON ticket.id = {entity}.{ticket}
    JOIN property ON property.entity = '{entity}' AND property.owner = {entity}.id AND property.key = 'triage'
"""
"""Tickets or comments with our mark on them, in Jira's own tables."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.heavy)])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    """The old house with its Jira and a model; nothing of the code of now has looked at it."""
    url, file = f"sqlite:///{tmp_path / 'triage.db'}", tmp_path / "triage.db"
    restore("jira", tmp_path / "jira.db")
    restore("triage", file)
    if request.param == "postgresql":
        url = str(request.getfixturevalue("empty_postgres_url"))
        restore_postgres(file, url)
        file.unlink()
    app = jira_app(database=tmp_path / "jira.db")
    with Served(app) as jira, Served(openai_app(PromptReader())) as model:
        # One worker: the mails of a thread in their order, although it is long since they came.
        extra = {"TRIAGE_CONFIG": str(OLD / "triage.yaml"), "WORKERS": "1", "DATABASE_URL": url}
        yield Installation(folder=tmp_path, jira=RunningJira(jira, app), model_url=model.url, extra=extra)


def ends(house: Installation) -> dict[int, tuple[str, str]]:
    """How each case stands, by its number."""
    listed = house.json("cases", "--limit", "100")["cases"]
    return {int(one["id"].removeprefix("case-")): (one["state"], one["ticket"]) for one in listed}


def written(house: Installation, entity: str) -> Counter[tuple[str, str, str]]:
    """What carries our mark: ticket, case and label."""
    ticket = "id" if entity == "issue" else "issue"
    question = WRITTEN.format(entity=entity, ticket=ticket)
    rows = [(key, json.loads(value)) for key, value in house.jira.app.site.db.all(question)]
    return Counter((key, value["case"], value["label"]) for key, value in rows)


def writes(house: Installation) -> list[tuple[str, str]]:
    """What was sent to change something: the method, and the path behind `/issue`."""
    sent = [(one.method, *one.path.partition("/issue")[1:]) for one in house.jira.requests()]
    return [(method, path) for method, issue, path in sent if issue and method != "GET" and path != "/bulkfetch"]


def number_of(key: str) -> int:
    """The 74 of `HARB-74`."""
    return int(key.rpartition("-")[2])


@pytest.mark.parametrize("old", ["sqlite"], indirect=True)
def test_old_cases_are_listed(old: Installation) -> None:
    """Lists, reports and what waits for a person are read as before the upgrade."""
    listed = old.json("cases", "--limit", "100")
    standing = ends(old)
    waiting = old.triage("approve").stdout.decode()
    reports = {number: old.json("show", str(number)) for number in (15, 20, 54, 62, 66)}

    assert sum(listed["counts"].values()) == len(standing) == len(ENDED | PARKED | UNDER_WAY)
    assert standing.items() >= (ENDED | PARKED).items()
    assert [flood["held"] for flood in old.json("cases", "--held")["held"]] == [5]
    for told in (
        "HARB-22 status: To Do → Done",
        "HARB-37 assignee: Hana Sugimoto → Tomasz Wolski",
        "HARB-73",
        "HARB-27 summary",
    ):
        assert told in waiting
    assert reports[15]["case"]["reason"].startswith("HARB-73: commented. It belongs to the same thread. Waiting:")
    assert [(one["state"], one["superseded_by"]) for one in reports[20]["approvals"]] == [("superseded", 11)]
    assert ([len(reports[54][name]) for name in ("runs", "turns")], reports[54]["runs"][0]["status"]) == (
        [1, 1],
        "running",
    )
    assert [run["run"] for run in reports[62]["runs"]] == [1, 2]
    assert reports[66]["flood"]["held"] == 5
    assert all(old.triage("show", str(number)).returncode == 0 for number in reports)


def test_old_cases_go_on(old: Installation) -> None:
    """Every case ends as the old version would have ended it, decisions are carried out, and nothing is written twice."""
    kept = {number: old.json("show", str(number))["turns"] for number in INTERRUPTED}
    done = old.triage("work", "--until-idle")
    after, turns = ends(old), {number: old.json("show", str(number))["turns"] for number in INTERRUPTED}
    tickets, comments, sent = written(old, "issue"), written(old, "comment"), writes(old)
    of_case = {case: key for key, case, _ in tickets}

    assert (done.returncode, version(old.extra["DATABASE_URL"])) == (0, HEAD), done.stderr.decode()
    for number, (state, ticket) in (ENDED | PARKED | UNDER_WAY).items():
        assert after[number][0] == state, (number, after[number])
        assert after[number][1] == ticket or (ticket == NEW and number_of(after[number][1]) > LAST), (
            number,
            after[number],
        )
    assert after[61][1] == after[60][1]
    assert all(
        turns[number][: len(first)] == first and len(turns[number]) > len(first) for number, first in kept.items()
    )
    assert {number: of_case[f"case-{number}"] for number, end in after.items() if end[0] == "ticketed"} == {
        number: key for number, (state, key) in after.items() if state == "ticketed"
    }
    assert {number for number in after if number_of(of_case.get(f"case-{number}", "-0")) > LAST} == UNTOUCHED
    assert (max(tickets.values()), max(comments.values())) == (1, 1)
    assert Counter(sent) == {
        ("POST", ""): len(UNTOUCHED),
        ("POST", "Link"): 1,  # one of them means nearly the same as an older ticket
        **{("POST", f"/{key}/comment"): 1 for key in ("HARB-19", "HARB-88", after[61][1])},
        **{("POST", f"/{key}/transitions"): 1 for key in ("HARB-31", "HARB-36")},
        ("PUT", "/HARB-21"): 1,
        next(one for one in sent if one[1].startswith("/HARB-89/comment/")): 1,
    }
    assert [(flood["held"], flood["unreported"]) for flood in old.json("cases", "--held")["held"]] == [(5, 0)]
    assert all(decided_once(old, *decision) for decision in DECISIONS)
    assert ends(old).items() >= {20: ("ignored", ""), 21: ("updated", "HARB-27")}.items()
    assert old.triage("approve").stdout == b"nothing waits\n"


def decided_once(house: Installation, number: int, told: str, key: str) -> bool:
    """The parked call is accepted, done by one request, and a worker that comes later does no more."""
    before = len(writes(house))
    said = house.triage("approve", str(number)).stdout.decode()
    house.triage("work", "--until-idle")
    after: Any = writes(house)[before:]
    assert (said.startswith(told), [path.split("/")[1] for _, path in after]) == (True, [key]), (said, after)
    return True
