"""The remains of a case and its letters after a person is forgotten or its mail has expired."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.conversation import Json
from triage.domain.findings import Classification, DispositionFinding, Identity, Route
from triage.domain.letters import Letter, Original
from triage.domain.mail import Message
from triage.domain.untrusted import NOTHING

FORGOTTEN: Final = "forgotten"
"""Flag of a case whose person is forgotten."""
AGED: Final = "mail-removed"
"""Flag of a case whose mail and prompts RETENTION_DAYS has removed."""
KEPT_FACTS: Final = frozenset({"outcome", "ticket", "step", "n", "ms"})
"""Facts of events that stay: they count and time, and hold no word of a mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonCase:
    """A case whose mail a person has sent."""

    case: str
    sender: str = ""
    """As his mail names him: `Ada Moreau <ada@example.com>`."""
    outcome: str = ""
    tickets: tuple[str, ...] = ()
    """Keys of the tickets that it wrote to, made ones included."""
    worded: tuple[str, ...] = ()
    """Those whose title or description it wrote."""
    letters: int = 0
    """Letters that have left."""
    under_way: str = ""
    """Why it cannot be forgotten yet; empty if it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketToRedact:
    """A ticket that contains the person's text; only people can change it in Jira."""

    key: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was redacted, or would be, and what only others can change."""

    address: str
    dry_run: bool
    cases: tuple[PersonCase, ...] = ()
    tickets: tuple[TicketToRedact, ...] = ()
    mentions: tuple[str, ...] = ()
    """Cases of other people that name the address; they stay as they are."""
    notes: tuple[str, ...] = ()
    """Notes of the team's memory that came from his mails: they go, or lose the part that did."""
    notes_naming: tuple[str, ...] = ()
    """Notes of other sources that name him; they stay as they are."""
    mcp_calls: int = 0
    """Calls of MCP clients whose arguments name the person: the arguments are removed."""
    shredded: bool = False
    """No old copy of a row is left in the files of the database and of the search index."""
    troubles: tuple[str, ...] = ()
    """What could not be finished; running the command again continues."""
    outside: tuple[str, ...] = ()
    """Other places that may name the person, one sentence each."""

    @property
    def done(self) -> bool:
        """Whether nothing of the person's own cases is left here."""
        return not self.dry_run and self.shredded and not any(one.under_way for one in self.cases)


def keeps_mail(case: Case) -> bool:
    """Whether the mail of a case is still kept: its person is not forgotten, and RETENTION_DAYS not over."""
    return {FORGOTTEN, AGED}.isdisjoint(case.flags)


def forgotten_case(case: Case, thread_key: str, at: datetime) -> Case:
    """Return the case without text of its mail; what is kept links its thread and prevents repeated effects."""
    found, route = case.classification.disposition, case.route
    kept = DispositionFinding(disposition=found.disposition, confidence=found.confidence) if found else None
    return Case(
        id=case.id,
        source=case.source,
        received_at=case.received_at,
        verdict=case.verdict,
        stub=case.stub,
        done=case.done,
        run=case.run,
        flags=case.flagged(FORGOTTEN).flags,
        ticket=case.ticket,
        identity=Identity(
            trust=case.identity.trust, replies_to_case=case.identity.replies_to_case, thread_key=thread_key
        ),
        message=Message(),
        route=route and Route(rule=route.rule, pipeline=route.pipeline, profile=route.profile, project=route.project),
        classification=Classification(disposition=kept),
        outcome=case.outcome or Outcome.IGNORED,
        reason=f"forgotten on {at:%Y-%m-%d}",
    )


def aged_case(case: Case) -> Case:
    """Return the case without the text of its mail and of its agent's run; sender, subject and thread stay."""
    mail, result = case.message, case.result
    return replace(
        case.flagged(AGED),
        message=mail
        and replace(mail, text=NOTHING, reply=NOTHING, rich=(), quoted=NOTHING, attachments=(), headers=(), hops=()),
        result=result and replace(result, final_message="", tool_calls=(), error=""),
        support=case.support and case.support.aged(),
    )


def forgotten_letter(letter: Letter) -> Letter:
    """Return the letter without recipients and text; its signed Message-ID is kept, so that replies find their case."""
    return replace(
        letter,
        to=(),
        cc=(),
        subject="",
        body="",
        original=Original(),
        files=(),
        in_reply_to="",
        references=(),
        note="",
    )


def kept_facts(facts: Mapping[str, Json]) -> dict[str, Json]:
    """Return the facts of an event that stay."""
    return {name: value for name, value in facts.items() if name in KEPT_FACTS}
