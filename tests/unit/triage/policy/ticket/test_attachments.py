"""What goes to a ticket beside the words."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.config.team import Member
from triage.config.ticket.attachments import FileKinds
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Candidate, Classification, Cues, Identity, Retrieval
from triage.domain.mail import LOGO, Address, Attachment, Message, Trust
from triage.domain.tickets import Attached, Person, Project, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.attachments import (
    LONG,
    MOST_FILES,
    RawMail,
    called,
    created_in,
    files_for,
    names_beside,
    raw_wanted,
    relating,
    ticket_of,
    ties_of,
    watchers_of,
)
from triage.policy.ticket.markdown import quoted

MEGABYTE = 2**20
BO = Person(id="bo", name=Untrusted("Bo Berg"), email="Bo@example.com")
PROJECT = Project(
    key="OPS",
    name="Operations",
    issue_types=("Task",),
    priorities=(),
    people=(BO, Person(id="cy", name=Untrusted("Cy"))),
    link_types=("Blocks", "Relates"),
)


def file(name: str, **values: object) -> Attachment:
    """A file of a hundred bytes unless said otherwise."""
    given = {"content_type": "text/plain", "size": 100, "inline": False, "sha256": name}
    return Attachment(name=Untrusted(name), **(given | values))  # type: ignore[arg-type]  # values by name


def picture(name: str, size: int) -> Attachment:
    """A picture inside the text."""
    return file(name, content_type="image/png", size=size, inline=True)


def case(**values: object) -> Case:
    """A case with a mail by Ada, Bo in copy."""
    mail = Message(sender=Address(address="ada@example.com"), cc=(Address(address="bo@example.com"),))
    given = {"id": "case-1", "source": "file", "received_at": datetime(2026, 11, 20, tzinfo=UTC), "message": mail}
    return Case(**(given | values))  # type: ignore[arg-type]  # values by name


def candidate(score: float, status: str = "new") -> Candidate:
    """OPS-7, so alike."""
    ticket = Ticket(key="OPS-7", summary=Untrusted("x"), status="Done", category=status, issue_type="Task")
    return Candidate(ticket=ticket, probability=score, evidence=())


def effect(kind: str, **values: object) -> Effect:
    """Something written."""
    given = {"key": f"case-1:{kind}:1", "kind": kind, "state": EffectState.DONE}
    return Effect(**(given | values))  # type: ignore[arg-type]  # values by name


def test_each_file_once_in_its_order() -> None:
    """The same content under two names is one file."""
    mail = Message(attachments=(file("b"), file("a"), file("copy of b", sha256="b"), file("c")))
    files = files_for(mail, MEGABYTE)

    assert [one.name for one in files.wanted] == ["b", "a", "c"]
    assert files.left == ()


@pytest.mark.parametrize(
    "worthless",
    [
        pytest.param(picture("logo.png", LOGO), id="logo"),
        pytest.param(file("empty.txt", size=0), id="empty"),
        pytest.param(file("smime.p7s", content_type="application/pkcs7-signature"), id="signature"),
    ],
)
def test_what_nobody_would_open_stays_behind(worthless: Attachment) -> None:
    """Logos, empty files and signatures are not worth a line."""
    mail = Message(attachments=(worthless, picture("screen.png", LOGO + 1)))
    files = files_for(mail, MEGABYTE)

    assert [one.name for one in files.wanted] == ["screen.png"]
    assert files.left == ()


def test_a_small_picture_that_was_attached_goes_along() -> None:
    """Only pictures inside the text are taken for logos."""
    small = replace(picture("icon.png", 500), inline=False)

    assert files_for(Message(attachments=(small,)), MEGABYTE).wanted == (small,)


def test_a_kind_that_the_team_does_not_want_is_told() -> None:
    """It is left with the reason, whatever its size."""
    mail = Message(attachments=(file("setup.exe", size=30 * MEGABYTE), file("log.txt")))
    files = files_for(mail, 10 * MEGABYTE, FileKinds(never=("exe",)))

    assert [one.name for one in files.wanted] == ["log.txt"]
    assert (files.left, files.refused) == (("setup.exe: triage.yaml attaches no exe (attachments.never)",), True)
    assert not files_for(mail, 10 * MEGABYTE).refused


def test_too_large_is_told() -> None:
    """What Jira would not take is left, with both sizes."""
    mail = Message(attachments=(file("dump.bin", size=30 * MEGABYTE), file("log.txt")))
    files = files_for(mail, 10 * MEGABYTE)

    assert [one.name for one in files.wanted] == ["log.txt"]
    assert files.left == ("dump.bin: 30.0 MB, Jira takes 10.0 MB",)


def test_no_attachments_in_this_jira() -> None:
    """A limit of nothing is said in words."""
    files = files_for(Message(attachments=(file("log.txt"),)), 0)

    assert (files.wanted, files.left) == ((), ("log.txt: attachments are switched off in Jira",))


def test_a_flood_of_files_is_cut() -> None:
    """One mail fills no ticket."""
    files = files_for(Message(attachments=tuple(file(f"{n}.txt") for n in range(MOST_FILES + 5))), MEGABYTE)

    assert len(files.wanted) == MOST_FILES
    assert files.left == (f"5 more files: a mail brings {MOST_FILES} at most",)


@pytest.mark.parametrize(
    ("mail", "when", "wanted"),
    [
        pytest.param(Message(text=Untrusted("short")), RawMail.LONG, False, id="short"),
        pytest.param(Message(text=Untrusted("x" * (LONG + 1))), RawMail.LONG, True, id="long"),
        pytest.param(Message(text=Untrusted("a\nb"), reply=Untrusted("a")), RawMail.LONG, True, id="cut"),
        pytest.param(
            Message(text=Untrusted("a\nb"), reply=Untrusted("a"), flags=("forward",)), RawMail.LONG, False, id="forward"
        ),
        pytest.param(Message(flags=("degraded:reader",)), RawMail.LONG, True, id="read briefly"),
        pytest.param(Message(flags=("unparsed",)), RawMail.LONG, True, id="not understood"),
        pytest.param(Message(text=Untrusted("short")), RawMail.ALWAYS, True, id="always"),
        pytest.param(Message(text=Untrusted("x" * (LONG + 1))), RawMail.NEVER, False, id="never"),
    ],
)
def test_when_the_mail_itself_goes_along(mail: Message, when: RawMail, *, wanted: bool) -> None:
    """Where the ticket cannot tell all of it, or as the settings say."""
    assert raw_wanted(mail, when) is wanted


def test_a_new_ticket_is_tied_to_earlier_ones() -> None:
    """To the sender's earlier matter, and to the likeliest ticket where that is likely enough; never to itself."""
    about = case(
        identity=Identity(follow_up="OPS-3"), retrieval=Retrieval(candidates=(candidate(0.8, "done"), candidate(0.7)))
    )

    assert [(tie.key, tie.why) for tie in ties_of(about, "OPS-9", 0.55)] == [
        ("OPS-3", "the same sender's earlier matter"),
        ("OPS-7", "may be the same, 80 %: words in common; it is done"),
    ]
    assert ties_of(replace(about, identity=replace(about.identity, follow_up="")), "OPS-7", 0.55) == ()
    assert ties_of(case(retrieval=Retrieval(candidates=(candidate(0.5),))), "OPS-9", 0.55) == ()


@pytest.mark.parametrize(
    ("category", "why"), [("new", "means nearly the same"), ("done", "means nearly the same; it is done")]
)
def test_a_new_ticket_is_tied_to_the_one_of_the_same_meaning(category: str, why: str) -> None:
    """Whatever their words have in common."""
    alike = case(retrieval=Retrieval(alike=replace(candidate(0.1, category).ticket, key="OPS-3")))

    assert [(tie.key, tie.why) for tie in ties_of(alike, "OPS-9", 0.55)] == [("OPS-3", why)]


def test_two_reasons_are_one_tie() -> None:
    """The first reason stands."""
    about = case(identity=Identity(follow_up="OPS-7"), retrieval=Retrieval(candidates=(candidate(0.8),)))

    assert [tie.why for tie in ties_of(about, "OPS-9", 0.55)] == ["the same sender's earlier matter"]


def test_a_successor_names_the_done_ticket_of_its_thread() -> None:
    """Before every other reason."""
    about = case(identity=Identity(succeeds="OPS-2", follow_up="OPS-3"))

    assert [(tie.key, tie.why) for tie in ties_of(about, "OPS-9", 0.55)] == [
        ("OPS-2", "the thread's earlier ticket, which is done"),
        ("OPS-3", "the same sender's earlier matter"),
    ]


def test_no_tie_to_a_thread_of_others_nor_for_a_forger() -> None:
    """Who may not speak in a thread leaves no link there, and a sender who failed the check leaves none at all."""
    alike = case(retrieval=Retrieval(candidates=(candidate(0.9),)))

    assert ties_of(replace(alike, identity=replace(alike.identity, foreign_thread="OPS-7")), "OPS-9", 0.55) == ()
    assert ties_of(replace(alike, identity=replace(alike.identity, trust=Trust.FAILED)), "OPS-9", 0.55) == ()


def test_a_proven_strangers_own_ticket_is_tied_to_the_thread() -> None:
    """Who is proven but no part of the thread has a ticket of his own that names the other by a link."""
    outsider = case(identity=Identity(foreign_thread="OPS-7", trust=Trust.VERIFIED))

    assert [(tie.key, tie.why) for tie in ties_of(outsider, "OPS-9", 0.55)] == [
        ("OPS-7", "answers its thread, of which the sender is no part")
    ]


def test_a_proven_senders_ticket_is_tied_to_the_one_that_he_names() -> None:
    """Whoever is proven and names a ticket of ours links his own with it; an unproven sender links nothing by a name."""
    naming = case(
        identity=Identity(trust=Trust.VERIFIED),
        classification=Classification(cues=Cues(keys=("OPS-7", "OPS-99"))),
        retrieval=Retrieval(candidates=(candidate(0.2),)),
    )

    assert [(tie.key, tie.why) for tie in ties_of(naming, "OPS-9", 0.55)] == [("OPS-7", "the mail names it")]
    assert ties_of(replace(naming, identity=Identity()), "OPS-9", 0.55) == ()


def test_what_the_agent_found_to_be_of_the_same_matter_is_tied() -> None:
    """The tickets that a call names, which the guard has let through; a refused call ties nothing."""
    made = ToolRun(tool="create", arguments={}, result={"status": "created", "related": "OPS-5"}, iteration=1)
    failed = ToolRun(tool="create", arguments={"related": "OPS-6"}, result={"error": "no"}, iteration=1)
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=(failed, made))

    assert [(tie.key, tie.why) for tie in ties_of(case(result=result), "OPS-9", 0.55)] == [
        ("OPS-5", "the agent found it to be of the same matter")
    ]


def test_the_projects_own_name_for_related() -> None:
    """As Jira spells it, or nothing where there is no such link."""
    assert relating(PROJECT) == "Relates"
    assert relating(replace(PROJECT, link_types=("Blocks",))) is None


def test_who_is_in_copy_and_known_watches() -> None:
    """By the exact address, and only for a proven sender; the sender in his own copy is no watcher."""
    known = case(identity=Identity(trust=Trust.VERIFIED))
    own = replace(known, message=replace(known.mail, sender=Address(address="bo@example.com")))
    stranger = replace(known, message=replace(known.mail, cc=(Address(address="xbo@example.com"),)))

    assert watchers_of(known, PROJECT) == (BO,)
    assert watchers_of(replace(known, identity=replace(known.identity, trust=Trust.WEAK)), PROJECT) == ()
    assert watchers_of(own, PROJECT) == ()
    assert watchers_of(stranger, PROJECT) == ()


def test_whose_address_jira_hides_watches_by_the_teams_file() -> None:
    """An entry that means one person says the address; Jira's own goes before it."""
    known = case(identity=Identity(trust=Trust.VERIFIED))
    hidden = replace(PROJECT, people=tuple(replace(one, email="") for one in PROJECT.people))
    team = (Member(person=BO.name, address="bo@example.com"),)

    assert watchers_of(known, hidden) == ()
    assert watchers_of(known, hidden, team) == (replace(BO, email=""),)
    assert watchers_of(known, hidden, (replace(team[0], person="Nobody"),)) == ()
    assert watchers_of(known, PROJECT, (Member(person="Nobody", address="bo@example.com"),)) == (BO,)


@pytest.mark.parametrize(
    ("effects", "ticket"),
    [
        pytest.param((effect("create", result="OPS-9"), effect("comment", target="OPS-3")), ("OPS-9", True), id="new"),
        pytest.param((effect("comment", target="OPS-3"),), ("OPS-3", False), id="known"),
        pytest.param((effect("transition", target="OPS-3"),), (None, False), id="only moved"),
        pytest.param((effect("create", state=EffectState.REFUSED),), (None, False), id="refused"),
    ],
)
def test_where_it_goes(effects: tuple[Effect, ...], ticket: tuple[str | None, bool]) -> None:
    """To the ticket that was made, else to the one that was spoken in."""
    assert ticket_of(effects) == ticket


def hangs(name: str, size: int) -> Attached:
    """A file on a ticket."""
    return Attached(id=f"{name}-{size}", name=Untrusted(name), size=size, ours=True)


SIZE = LOGO + 1


@pytest.mark.parametrize(
    ("hanging", "begun", "name"),
    [
        ([], False, "image001.png"),
        ([hangs("image002.png", 5)], False, "image001.png"),
        ([hangs("IMAGE001.png", 5)], False, "image001-2.png"),
        ([hangs("image001.png", SIZE)], False, "image001-2.png"),
        ([hangs("image001.png", SIZE)], True, "image001.png"),
        ([hangs("image001.png", 5)], True, "image001-2.png"),
        ([hangs("image001.png", 5), hangs("image001-2.png", SIZE)], True, "image001-2.png"),
        ([hangs("image001.png", 5), hangs("image001-2.png", 6)], True, "image001-3.png"),
        ([hangs("image001.png", 5), hangs("image001.png", SIZE)], True, "image001-2.png"),
    ],
)
def test_names_beside_others(hanging: list[Attached], name: str, *, begun: bool) -> None:
    """A picture keeps its name unless another file has it there; after a restart it finds its own again."""
    one = picture("image001.png", SIZE)

    assert {one.sha256: name} == names_beside([one], hanging, {one.sha256} if begun else set())


def test_pictures_are_called_by_their_names_there() -> None:
    """In our own Markdown as in the quoted words of the mail; who changes places does so at once."""
    one, other = (replace(picture(f"{n}.png", LOGO + 1), sha256=n) for n in ("a", "a-2"))
    text = f"[image: a.png] {quoted(Untrusted('[image: a-2.png] [image: b.png]'))}"

    told = called(text, [one, other], {"a": "a-2.png", "a-2": "a.png"})
    assert told == f"[image: a-2.png] {quoted(Untrusted('[image: a.png] [image: b.png]'))}"
    assert called(text, [one, other], {"a": "a.png"}) == text


def test_a_new_topic_is_tied_to_the_ticket_of_its_thread() -> None:
    """So that people who read one find the other."""
    apart = case(identity=Identity(new_topic="OPS-7", trust=Trust.VERIFIED))

    assert [(tie.key, tie.why) for tie in ties_of(apart, "OPS-9", 0.55)] == [("OPS-7", "a new topic in its thread")]


def test_the_first_of_several_new_tickets_is_that_of_the_case() -> None:
    """Files and links go there; the others are linked to it."""
    made = [
        Effect(key=f"case-1:create:{number}", kind="create", state=EffectState.DONE, result=f"OPS-{number}")
        for number in (1, 2)
    ]

    assert ticket_of(made) == ("OPS-1", True)
    assert created_in(made) == ("OPS-1", "OPS-2")
