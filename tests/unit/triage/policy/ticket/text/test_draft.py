"""Drafts of tickets and comments: each mail of `tests/corpus/tickets` beside the ticket that it becomes."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from integrations.mime.message import message_of
from tests.conftest import ROOT
from triage.config.word_lists import word_lists
from triage.domain.mail import Address, Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.due_date import DueDate
from triage.policy.decision.playbook import RuleInput
from triage.policy.privacy.secrets import masked_mail
from triage.policy.text.author_text import is_program_line, is_small_print
from triage.policy.ticket.text.draft import (
    LONGEST_DRAFT,
    LONGEST_TOLD,
    comment_text,
    due_in,
    kind_of,
    prose_of,
    reporter_of,
    ticket_text,
    with_original,
    words_of,
)
from triage.policy.ticket.text.sections import ORDER, TicketKind

CORPUS = ROOT / "tests" / "corpus" / "tickets"
MAILS = sorted(CORPUS.glob("*.eml"))
TEAMS = {"de_wish": "de", "fr_bug": "fr", "cs_bug": "cs", "ja_bug": "ja", "en_access": "pl"}
"""Mails whose ticket is written for a team of another language than English."""
HEADER = re.compile(r"[> ]*(?:From|Date|Sent|Subject|To): |-+ Forwarded message -+")
"""What a mail program writes above the mail that is forwarded."""
SENDER = "Ada Byron <ada@harbour.example>"


def source_of(mail: Message, language: str = "en") -> RuleInput:
    """A mail as the playbook reads it; its header says which cues it has."""
    type_, _, priority = mail.header("x-cues").partition(" ")
    return RuleInput(
        subject=mail.subject,
        sender=f"{mail.sender or ''}",
        text=words_of(mail),
        rich=mail.rich,
        forward="forward" in mail.flags,
        type=type_,
        priority=priority,
        due=due_in(mail, datetime(2026, 11, 24, 9, tzinfo=UTC)),
        language=language,
    )


def source(text: str, **more: str) -> RuleInput:
    """A mail of this text."""
    return RuleInput(subject="Crane", sender=SENDER, text=Untrusted(text), **{"type": "bug", **more})  # type: ignore[arg-type] # names of text fields


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
def test_a_mail_becomes_its_ticket(path: Path) -> None:
    """Summary and description are those that stand beside the mail."""
    made = ticket_text(source_of(masked_mail(message_of(path.read_bytes())), TEAMS.get(path.stem, "en")))

    assert path.with_suffix(".md").read_text("utf-8") == f"# {made.summary}\n\n{made.description}\n"


def test_a_forwarder_may_tell_the_matter() -> None:
    """What he writes above the forwarded mail makes the summary where the mail itself says less."""
    text = (
        "Hi,\nplease give me read access to the crash reports of the yard app.\n\n"
        "-----Original Message-----\nFrom: Elena <elena@yard.example>\nTo: Ada <ada@yard.example>\n"
        "Sent: Monday, 3 November 2026 17:20\nSubject: RE: crash reports\n\nFine with me."
    )

    made = ticket_text(RuleInput(subject="Could I", sender=SENDER, text=Untrusted(text), forward=True, type="support"))

    assert made.summary == "Give me read access to the crash reports of the yard app"


def test_a_forward_that_stands_there_is_not_quoted_again() -> None:
    """What its header says is no reason to: who has the problem is named, and the mail itself is at hand."""
    text = (
        "Please look, it burns.\n\nKim\n\nBegin forwarded message:\n\n> From: Bo <bo@berth.example>\n> Date: 27 November 2026\n"
        "> To: kim@harbour.example\n> Subject: Crane\n>\n> The crane is stuck since the storm of Monday."
    )
    mail = Message(
        subject=Untrusted("Fwd: Crane"),
        text=Untrusted(text),
        flags=("forward",),
        sender=Address(name=Untrusted("Kim"), address="kim@harbour.example"),
    )

    assert "Original mail" not in with_original(ticket_text(source_of(mail)).description, mail)
    assert "Original mail" in with_original("Please look, it burns\\.", mail)


def test_a_label_stands_once() -> None:
    """The heading above a single field of the same name says it already; other labels stay."""
    named = ticket_text(source("The crane is stuck.\n\nImpact: nobody can load.")).description
    other = ticket_text(source("The crane is stuck.\n\nBrowser: Firefox 144")).description

    assert named.endswith("### Impact\n\nNobody can load\\.")
    assert other.endswith("### Environment\n\n- **Browser:** Firefox 144")


def test_a_stub_is_named_by_its_subject() -> None:
    """What we say of a mail that was too large is no part of its matter."""
    text = Untrusted(
        "This mail has 63791 bytes, more than the 30000 of MAX_MAIL_BYTES, so only its headers were taken."
    )
    source = RuleInput(subject="Huge log file", sender=SENDER, text=text, stub=True)

    assert ticket_text(source).summary == "Huge log file"
    assert ticket_text(replace(source, stub=False)).summary != "Huge log file"


def test_the_sentences_of_a_mail() -> None:
    """Greeting, signature and code are no part of what a mail says in sentences."""
    text = "Hello,\n\nthe crane is stuck.\n\nERROR: no room\n\n- lamp\n\nKind regards\nAda Byron"

    assert prose_of(source(text)) == "the crane is stuck.\n- lamp"


def test_there_are_enough_of_them() -> None:
    """Forty mails and more, in ten languages and one that nobody reads."""
    assert len(MAILS) >= 40
    assert len({path.stem.partition("_")[0] for path in MAILS}) >= 11


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
def test_nothing_that_the_sender_says_is_lost(path: Path) -> None:
    """Without a quote of the whole mail only greetings, labels, a short signature, legal text and what programs wrote are missing."""
    mail = masked_mail(message_of(path.read_bytes()))
    draft = ticket_text(source_of(mail)).description
    whole = with_original(draft, mail)
    told = set(re.findall(r"\w+", re.sub(r"\\(?=\W)", "", whole).replace("&nbsp;", " ").casefold()))
    written = words_of(mail).splitlines()
    own = [line for line in written if not (HEADER.match(line) or is_program_line(line) or is_small_print(line))]
    lines = [set(re.findall(r"\w+", line[:400].casefold())) - told for line in own]
    missing = [line for line in lines if line]

    assert len(missing) <= (0 if "**Original mail**" in whole else 8)
    for words in missing:
        assert len(words) <= 8
        assert not any(map(str.isdecimal, words))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ja"])
def test_headings_exist_in_each_language(language: str) -> None:
    """Every heading has one word in every language that a team may choose."""
    lists = word_lists()

    for name in (*ORDER, "reporter", "note", "original"):
        assert len(lists.of(language, f"heading.{name}")) == 1


def test_a_comment_is_what_is_new() -> None:
    """Without greeting, courtesy lines and signature; a log in a code block."""
    text = "Hi,\n\nit happens again.\n\n2026-11-24 10:00:01 ERROR crane: stuck\n\nRegards\nAda"

    assert comment_text(source(text)) == "it happens again\\.\n\n```\n2026-11-24 10:00:01 ERROR crane: stuck\n```"


def test_an_original_that_stands_there_is_not_repeated() -> None:
    """A description that has the mail's words, in any order, needs no quote but of a signature that says more than a name."""
    mail = Message(text=Untrusted("The crane\nis stuck."), sender=Address(address="ada@harbour.example"))
    framed = replace(mail, text=Untrusted("Hi all,\n\nthe crane is stuck. It hums.\n\nBest regards\nAda"))
    signed = replace(mail, text=Untrusted(f"{framed.text}\n+49 30 555 0199"))

    assert with_original("The crane is **stuck**\\.", mail) == "The crane is **stuck**\\."
    assert with_original("Nothing", Message()) == "Nothing"
    assert with_original("", mail, "de").startswith("**Originalmail**\n\n> The crane")
    assert with_original("It hums\\. The crane is stuck\\.", framed) == "It hums\\. The crane is stuck\\."
    assert "> the crane" in with_original("The crane is stuck\\.", framed)
    greeted = replace(mail, text=Untrusted("Hello! The crane is stuck since the storm of Monday.\n\nAda"))
    assert with_original("The crane is stuck since the storm of Monday\\.", greeted).endswith("Monday\\.")
    legal = replace(
        framed, text=Untrusted(f"{framed.text}\n\nThis e-mail is confidential and meant for the person named in it.")
    )
    assert with_original("It hums\\. The crane is stuck\\.", legal) == "It hums\\. The crane is stuck\\."
    both = replace(
        signed, text=Untrusted(f"{signed.text}\n\nThis e-mail is confidential and meant for the person named in it.")
    )
    assert with_original("It hums\\. The crane is stuck\\.", both).endswith("> \\+49 30 555 0199  ")
    assert with_original("It hums\\. The crane is stuck\\.", signed).endswith(
        "\\.\n\n> Best regards  \n> Ada  \n> \\+49 30 555 0199  "
    )


@pytest.mark.parametrize(
    ("text", "quoted"), [("{} It is red.", True), ("It is red. {}", False), ("Hi,\n\nit is red.\n{}\n\nAda", False)]
)
def test_where_a_picture_stood_is_kept(text: str, quoted: bool) -> None:  # noqa: FBT001 - from the table
    """A picture before words is quoted where it stood, even if the description has all words; one at the end needs no quote."""
    picture = Attachment(name=Untrusted("crane.png"), content_type="image/png", size=9, inline=True, sha256="0" * 64)
    mail = Message(text=Untrusted(text.format(picture.mark)), attachments=(picture,))
    mail = replace(mail, sender=Address(name=Untrusted("Ada"), address="ada@harbour.example"))

    assert ("Original" in with_original("crane.png It is red. image: crane.png", mail)) is quoted


def test_a_template_of_a_fault_is_a_fault() -> None:
    """Steps and an expectation make a mail a bug for its headings, whatever its words say."""
    made = ticket_text(source("Steps:\n1. a\n2. b\n\nExpected: c\n\nActual: d", type="general"))

    assert made.description.startswith("### What happens\n\nD")


def test_a_large_mail_gives_a_small_ticket() -> None:
    """Of fifty thousand lines of a log and a long text the ticket shows a part, within Jira's limits."""
    log = "\n".join(f"2026-11-24 10:00:01 INFO crane: turn {n} {{}}" for n in range(50_000))
    made = ticket_text(source(f"It fails.\n\n{log}\n2026-11-24 10:00:01 ERROR crane: stuck"))

    assert len(made.description) < LONGEST_DRAFT
    assert "[…]" in made.description
    prose = ticket_text(source("\n\n".join(f"The crane number {n} turns left and right. " * 20 for n in range(100))))
    assert len(prose.description) < 2 * LONGEST_DRAFT
    assert prose.description.endswith("\\[…\\]")
    wild = Message(text=Untrusted("\t{\n" * 10_000), sender=None)
    assert len(with_original("x", wild)) < LONGEST_TOLD + 200


@pytest.mark.parametrize(
    ("type_", "priority", "text", "kind"),
    [
        ("bug", "Highest", "The gate is down", TicketKind.INCIDENT),
        ("bug", "High", "The gate is down", TicketKind.INCIDENT),
        ("bug", "Medium", "The gate is down", TicketKind.BUG),
        ("bug", "Highest", "The gate squeaks", TicketKind.BUG),
        ("feature", "Low", "A gate", TicketKind.WISH),
        ("support", "Medium", "Please grant access", TicketKind.ACCESS),
        ("support", "Medium", "Where is the gate", TicketKind.QUESTION),
        ("general", "Medium", "Where is the gate?", TicketKind.QUESTION),
        ("general", "Medium", "The gate", TicketKind.TASK),
        ("general", "Medium", "Could you please move the gate?", TicketKind.TASK),
        ("support", "Medium", "Potreste spostare il cancello?", TicketKind.TASK),
    ],
)
def test_kinds(type_: str, priority: str, text: str, kind: TicketKind) -> None:
    """Type, priority and words of a mail say which headings its ticket has."""
    assert kind_of(type_, priority, text) == kind


def test_a_question_about_accounts_is_no_request_for_access() -> None:
    """Who asks how to merge two accounts and says thanks wants an explanation; who asks for one, in one sentence or two, wants access."""
    italian = "Abbiamo due account. È possibile unirli? Dove trovo la spiegazione nel manuale? Grazie"

    assert kind_of("support", "Medium", italian) is TicketKind.QUESTION
    assert kind_of("support", "Medium", "Can you please give me access to the wiki?") is TicketKind.ACCESS
    bill = "Please find attached our invoice for berth fees, payable within 30 days to the account stated on it."
    assert kind_of("general", "Medium", bill) is not TicketKind.ACCESS


def test_a_day_that_is_written_as_a_date_stands_once() -> None:
    """`Expires: 2026-12-03` needs no words beside the day."""
    due = DueDate(day=date(2026, 12, 3), evidence="2026-12-03")
    described = ticket_text(replace(source("The certificate expires: 2026-12-03."), due=due)).description

    assert described.endswith("### By when\n\n2026\\-12\\-03")
    assert kind_of("support", "Medium", "Please send a price for forty licences.") is not TicketKind.ACCESS
    assert kind_of("support", "Medium", "Please enter our new bank account.") is not TicketKind.ACCESS
    assert kind_of("support", "Medium", "Access for Jana. Please set it up.") is TicketKind.ACCESS


def test_a_sentence_names_where_its_code_stands() -> None:
    """Where so much code stands below all text; in the team's language, and only if it leads to the code."""
    told = "It stops at once. The log says:\n\n" + "    ORA-00942: table or view does not exist\n" * 11

    assert "The log says\\: → Evidence" in ticket_text(source(told)).description
    assert "→ Evidence" not in ticket_text(source(told.replace("says:", "knows why."))).description


@pytest.mark.parametrize(
    ("subject", "told"),
    [("Subject: Mailbox full\n", "Mailbox full"), ("Date: Fri, 20 Nov 2026 10:11\n", "Is this phishing?")],
)
def test_a_reported_lure(subject: str, told: str) -> None:
    """The forwarder reports it, and not its author; its own words and links stand in the quoted original alone."""
    lure = f"---------- Forwarded message ---------\nFrom: IT <it@evil.example>\n{subject}\nConfirm at https://evil.example/x"
    text = Untrusted(f"Is this phishing? I did not click.\n\n{lure}")
    draft = ticket_text(RuleInput(subject="Fwd:", sender="Kim <kim@a.example>", text=text, forward=True))

    assert draft.summary == f"Suspicious mail: {told}"
    assert draft.description.startswith("**Its sender:** IT")
    assert ("I did not click" in draft.description, "Confirm" in draft.description) == (True, False)


def test_a_long_text_shows_since_when_and_with_what() -> None:
    """Where a reader would have to look for it; in a few words it stands above anyway."""
    told = "The crane is stuck since yesterday with Chrome 142."
    long = ticket_text(source(f"{told} {'It hums in the yard. ' * 9}")).description

    assert "### Since\n\nSince yesterday" in long
    assert "### Environment\n\n- Chrome 142" in long
    assert "### Since" not in ticket_text(source(told)).description


def test_matters_that_stand_above_are_told_once() -> None:
    """A list of nothing but the matters, and the line that leads to it, stand only in the list of matters; all else stays."""
    matters = ("The lamp is out.", "Bob needs a rope.")
    listed = "Two things:\n\n1. The lamp is out.\n2. Bob needs a rope.\n\nThe lamp is the red one."
    told = ticket_text(replace(source(listed), subject="Two things"), matters)

    assert told.summary == "The lamp is out (+1)"
    assert ("Two things" in told.description, "Bob" in told.description, "red one" in told.description) == (
        False,
        False,
        True,
    )
    assert "Bob" in ticket_text(source(listed), matters[:1]).description


def test_a_wish_is_named_by_its_wish() -> None:
    """The sentence that wishes becomes the summary, not the praise before it."""
    told = "Our choir loves the calendar. A way to copy last season's dates would be great."

    made = ticket_text(RuleInput(subject="Idea", sender=SENDER, text=Untrusted(told), type="feature"))
    assert made.summary == "A way to copy last season's dates would be great"
    told = "Could you include the cost centre? Accounting asks for it and I add it by hand."
    made = ticket_text(RuleInput(subject="Idea", sender=SENDER, text=Untrusted(told), type="feature"))
    assert made.summary == "Include the cost centre"


def test_a_program_has_no_problem() -> None:
    """The mail server that wrote a forwarded report is not named as the one who has the problem."""
    report = "---------- Forwarded message ---------\nFrom: Mail System <mailer-daemon@yard.example>\nSubject: Failure\n\nIt came back."
    draft = ticket_text(RuleInput(subject="Fwd: Failure", sender=SENDER, text=Untrusted(report), forward=True))

    assert "mailer" not in draft.description


def test_the_reporter_alone() -> None:
    """Who has the problem is named where it is not the sender, without what the forwarder says above it."""
    inner = "---------- Forwarded message ----------\nFrom: Kim Lee <kim@yard.example>\nDate: Monday\nSubject: Crane\n\nIt is stuck."
    forwarded = Message(subject=Untrusted("Fwd: Crane"), text=Untrusted(f"See below.\n\n{inner}"), flags=("forward",))

    assert "Kim Lee" in reporter_of(forwarded)
    assert "See below" not in reporter_of(forwarded)
    assert reporter_of(Message(subject=Untrusted("Crane"), text=Untrusted("It is stuck."))) == ""


def test_what_programs_append_is_not_quoted() -> None:
    """Their notices and the link below them, and a line that only leads to a list, are missed by nobody."""
    notice = "If you wish to stop receiving notifications, click here:\nhttps://sns.example/stop?a=1"
    mail = Message(
        text=Untrusted(f"The crane is stuck.\n\n--\n{notice}"), sender=Address(address="no-reply@sns.example")
    )
    listed = Message(text=Untrusted("Notes of today.\n\nAction items:\n- Bo: turn the crane"))

    assert with_original("The crane is stuck\\.", mail) == "The crane is stuck\\."
    assert "Original" not in with_original("Notes of today\\. Bo\\: turn the crane", listed)


def test_what_was_labelled_so_is_the_symptom() -> None:
    """In a report with an expectation, `Actual` makes the summary."""
    made = ticket_text(
        source(
            "Found while testing the new crane in the hall:\n\nActual: the crane turns left and right\nExpected: it turns left"
        )
    )

    assert made.summary == "The crane turns left and right"


def test_a_form_that_names_its_sender_is_described() -> None:
    """Name and address stand above the ticket, so that the form is not quoted for them."""
    text = "Feedback form\n-------\nUser: Bo Berg\nE-mail: bo@berth.example\nPage: /cranes\nComment: The list of cranes jumps to its top."
    mail = Message(
        subject=Untrusted("Feedback"),
        text=Untrusted(text),
        sender=Address(name=Untrusted("Yard"), address="no-reply@yard.example"),
    )

    assert "Original" not in with_original(ticket_text(source_of(mail)).description, mail)


def test_what_a_person_pastes_is_no_title() -> None:
    """A template counts where a program sends it; a person's own subject and words say more."""
    text = "Our server stops at night.\n\nSource: Runtime\nLevel: Error\nSummary: The process was terminated"
    pasted = RuleInput(subject="Server stops at night", sender=SENDER, text=Untrusted(text), type="bug")

    assert ticket_text(pasted).summary == "Server stops at night"
    assert "terminated" in ticket_text(replace(pasted, sender="Desk <no-reply@desk.example>")).summary
