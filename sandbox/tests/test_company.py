"""The demo's story holds together: whatever one file names, another one has."""

import math
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from triage_sandbox import company
from triage_sandbox.company import DemoMail, StoryBroken, load_project, load_tickets, mails

PROJECT = load_project()
TICKETS = {ticket.key: ticket for ticket in load_tickets()}
OPEN = {key: ticket for key, ticket in TICKETS.items() if ticket.status != "Done"}
MAILS = {mail.number: mail for mail in mails()}
THREAD = ("04", "05", "13", "26")
ONE_MAIL = pytest.mark.parametrize("mail", mails(), ids=lambda mail: mail.name)


def message_of(mail: DemoMail) -> EmailMessage:
    """A mail as the standard library reads it."""
    return message_from_bytes(mail.raw, policy=default)


def said_in(mail: DemoMail) -> str:
    """Subject and visible words, without the history that replies quote."""
    message = message_of(mail)
    body = message.get_body(("plain", "html"))
    text = body.get_content() if body else ""
    text = re.sub(r"(?s)<style.*?</style>|<[^>]+>", " ", text) if "<html" in text else text
    new = text.partition("-----Original Message-----")[0]
    return f"{message['subject']}\n" + "\n".join(line for line in new.splitlines() if not line.startswith(">"))


def all_text() -> str:
    """Everything that stands in the story, mails decoded."""
    parts = (part for mail in mails() for part in message_of(mail).walk())
    bodies = (part.get_content() for part in parts if part.get_content_maintype() == "text")
    headers = (str(value) for mail in mails() for value in message_of(mail).values())
    files = (path.read_text(encoding="utf-8") for path in company.HERE.rglob("*.yaml"))
    return "\n".join((*bodies, *headers, *files))


def test_the_cast() -> None:
    """Fourteen people, one of whom has left, an app and the bot; nobody twice."""
    humans = [p for p in PROJECT.people if p.role not in {"App", "Bot"}]

    assert len(humans) == 14
    assert sum(not p.active for p in humans) == 1
    assert sum(p.type == "app" for p in PROJECT.people) == 1
    assert [p.email for p in PROJECT.people if p.role == "Bot"] == ["bot@harbourline.example"]
    for names in zip(*((p.id, p.username, p.email) for p in PROJECT.people), strict=True):
        assert len(PROJECT.people) == len(set(names))


def test_the_project_names_only_what_it_has() -> None:
    """Leads are active people, transitions join statuses of the workflow."""
    active = {p.username for p in PROJECT.people if p.active}
    statuses = {s.name for s in PROJECT.statuses}

    assert {PROJECT.lead, *(c.lead for c in PROJECT.components)} <= active
    assert len({c.name for c in PROJECT.components}) == 8
    for transition in PROJECT.transitions:
        assert {*transition.sources, transition.to} <= statuses
    assert any(t.name != t.to for t in PROJECT.transitions)


def test_every_open_status_has_one_way_to_done() -> None:
    """A proposed transition can be carried out from wherever a ticket stands."""
    ways = Counter(source for t in PROJECT.transitions if t.to == "Done" for source in t.sources)

    assert {s.name: 1 for s in PROJECT.statuses if s.category != "done"} == dict(ways)


def test_tickets_are_numbered_in_the_order_of_their_birth() -> None:
    """HARB-1 to HARB-70, the oldest first."""
    assert [f"HARB-{number}" for number in range(1, 71)] == [t.key for t in load_tickets()]
    assert all(old.created_days_ago >= new.created_days_ago for old, new in pairwise(load_tickets()))


@pytest.mark.parametrize("ticket", load_tickets(), ids=lambda ticket: ticket.key)
def test_a_ticket_names_only_what_the_project_has(ticket: company.DemoTicket) -> None:
    """People, components, labels, versions, links and parents of a ticket exist."""
    people = {p.username for p in PROJECT.people}
    types = {t.name: t for t in PROJECT.issue_types}

    assert {ticket.reporter, ticket.assignee or ticket.reporter, *(c.author for c in ticket.comments)} <= people
    assert ticket.status in {s.name for s in PROJECT.statuses}
    assert ticket.priority in {p.name for p in PROJECT.priorities}
    assert set(ticket.components) <= {c.name for c in PROJECT.components}
    assert ticket.components
    assert set(ticket.labels) <= set(PROJECT.labels)
    assert set(ticket.fix_versions) <= {v.name for v in PROJECT.versions}
    assert {link.type for link in ticket.links} <= {t.name for t in PROJECT.link_types}
    assert {link.to for link in ticket.links} <= TICKETS.keys() - {ticket.key}
    assert types[ticket.type].subtask == (ticket.parent is not None)
    assert ticket.parent is None or ticket.parent in TICKETS


@pytest.mark.parametrize("ticket", load_tickets(), ids=lambda ticket: ticket.key)
def test_a_ticket_has_a_possible_past(ticket: company.DemoTicket) -> None:
    """Comments lie between birth and last update, and only what is done has a resolution."""
    times = [ticket.created_days_ago, *(c.days_ago for c in ticket.comments), ticket.updated_days_ago]

    assert sorted(times, reverse=True) == times
    assert (ticket.status == "Done") == (ticket.resolution in {r.name for r in PROJECT.resolutions})
    assert len(ticket.summary) <= 255
    assert "\n" not in ticket.summary


def test_work_is_spread_unevenly() -> None:
    """A suggestion by workload has something to tell apart, and one ticket hangs on somebody who left."""
    load = Counter(t.assignee for t in OPEN.values() if t.assignee)
    gone = next(p.username for p in PROJECT.people if not p.active)

    assert max(load.values()) >= 3 * min(load.values())
    assert load[gone] == 1


def test_the_mailbox_is_complete() -> None:
    """Forty-five mails, numbered in the order in which they came in November 2026."""
    dates = [parsedate_to_datetime(message_of(mail)["date"]) for mail in mails()]

    assert [f"{number:02}" for number in range(1, 46)] == [mail.number for mail in mails()]
    assert {(2026, 11)} == {(day.year, day.month) for day in dates}
    assert sorted(dates) == dates


def test_the_mailbox_is_mixed() -> None:
    """What must become of the mails, in numbers."""
    done = Counter((mail.expected.action, *mail.expected.type[:1]) for mail in mails())

    assert done == {
        ("ticketed", "Bug"): 25,
        ("ticketed", "Story"): 3,
        ("ticketed", "Task"): 4,
        ("commented",): 3,
        ("waiting",): 4,
        ("ignored",): 6,
    }


@ONE_MAIL
def test_a_mail_is_a_mail(mail: DemoMail) -> None:
    """The standard library reads every mail without a complaint, and it has what mails have."""
    message = message_of(mail)

    assert [defect for part in message.walk() for defect in part.defects] == []
    assert re.fullmatch(r"<[^<>@\s]+@[\w.-]+\.example>", message["message-id"])
    assert all(message[name] for name in ("from", "to", "subject", "date"))
    assert max(map(len, mail.raw.splitlines())) <= 998
    assert said_in(mail).strip()


def test_no_message_id_comes_twice() -> None:
    """Forty-five mails have forty-five Message-IDs."""
    assert len({message_of(mail)["message-id"] for mail in mails()}) == 45


@ONE_MAIL
def test_an_expectation_can_be_met(mail: DemoMail) -> None:
    """It names a ticket that is open or that an earlier mail has created, and a type and priority only for new ones."""
    want = mail.expected
    earlier = {f"mail:{m.number}" for m in mails() if m.number < mail.number and m.expected.ticket == "new"}
    known = OPEN.keys() | earlier
    allowed = {"ticketed": {"new"}, "ignored": {"none"}, "waiting": {"none", *known}}.get(want.action, known)

    assert want.ticket in allowed
    assert (want.action == "ticketed") == bool(want.type) == bool(want.priority)
    assert want.verdict == "verified" or "Highest" not in want.priority


def test_the_thread_holds_together() -> None:
    """Each mail of the thread answers the one before it and names all before it."""
    ids = [message_of(MAILS[number])["message-id"] for number in THREAD]

    for place, number in enumerate(THREAD[1:], 1):
        assert ids[place - 1] == message_of(MAILS[number])["in-reply-to"]
        assert ids[:place] == message_of(MAILS[number])["references"].split()
        assert MAILS[number].expected.ticket == "mail:04"


@ONE_MAIL
def test_no_mail_gives_the_ticket_away(mail: DemoMail) -> None:
    """No key of the project stands in what a reader sees: tickets must be found by what the mail is about."""
    assert re.findall(r"\bHARB-\d+", said_in(mail)) == []


def test_all_hosts_are_made_up() -> None:
    """Every address and every link ends in a domain that can belong to nobody."""
    hosts = re.findall(r"(?:\w@|://)([\w.-]+\w)", all_text())

    assert [host for host in hosts if not host.endswith(".example")] == []
    assert len(hosts) > 100


def words_of(text: str) -> set[str]:
    """Words, numbers and codes of three letters or more, plural and singular alike."""
    return {word.rstrip("s") for word in re.findall(r"[\w-]{3,}", text.casefold())}


def likeness(one: set[str], other: set[str], rarity: dict[str, float]) -> float:
    """How much two texts share, rare words counting most: 0 to 1."""

    def weight(words: set[str]) -> float:
        return math.fsum(rarity.get(word, 5.0) ** 2 for word in words)

    return weight(one & other) / math.sqrt(weight(one) * weight(other))


ALIKE = {"09": "HARB-45", "14": "HARB-27", "19": "HARB-33", "22": "HARB-19", "29": "HARB-41"}
"""Mails about a known matter that share nothing certain with its ticket, which is linked, or is for a person to choose."""


@ONE_MAIL
def test_words_alone_can_find_the_ticket(mail: DemoMail) -> None:
    """Mails about a known matter share words with its ticket, mails about a new one share few with any."""
    docs = {key: words_of(f"{ticket.summary} {ticket.description}") for key, ticket in OPEN.items()}
    seen = Counter(word for doc in docs.values() for word in doc)
    rarity = {word: math.log((len(docs) + 1) / count) for word, count in seen.items()}
    said = words_of(said_in(mail))
    scores = {key: likeness(said, doc, rarity) for key, doc in docs.items()}
    best = max(scores, key=lambda key: scores[key])

    if (known := ALIKE.get(mail.number, mail.expected.ticket)) in OPEN:
        assert known == best
        assert scores[best] > 0.2
    else:
        assert scores[best] < 0.15


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("key: [", "expected"),
        ("about: a mail\nverdict: perhaps\naction: ticketed\nticket: new\n", "verdict"),
        ("about: a mail\nverdict: verified\naction: ticketed\nticket: new\ncolour: red\n", "colour"),
        ("about: a mail\n", "action"),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, place: str) -> None:
    """Whoever edits the story learns which file is wrong, and where."""
    (tmp_path / "01-odd.eml").write_bytes(b"Subject: odd\n\nodd\n")
    (tmp_path / "01-odd.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(StoryBroken) as broken:
        mails(tmp_path)

    assert "01-odd.yaml" in str(broken.value)
    assert place in str(broken.value)


def test_the_mails_are_of_these_days() -> None:
    """The newest is of yesterday, whenever the demo runs, and a day that a mail asks for is one to come."""
    days = [parsedate_to_datetime(message_of(mail)["date"]).astimezone(UTC).date() for mail in mails()]
    today = datetime.now(UTC).date()

    assert max(days) in {today - timedelta(days=1), today - timedelta(days=2)}
    assert (max(days) - min(days)).days == 20
    assert MAILS["42"].expected.due_date is not None
    assert f"{MAILS['42'].expected.due_date:%d.%m.%Y}".encode() in MAILS["42"].raw
    assert MAILS["42"].expected.due_date > today
