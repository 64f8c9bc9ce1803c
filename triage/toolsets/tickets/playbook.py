"""The rules that decide about a mail without a model, by the same tools and guards. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from triage.domain.conversation import Json
from triage.domain.findings import NOT_READ, Cue
from triage.domain.mail import Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import (
    Action,
    Addition,
    Call,
    Near,
    Results,
    RuleInput,
    components_in,
    issue_type_of,
    type_wanted,
)
from triage.policy.decision.review import waits_for
from triage.policy.text.cues import cues_of, listed_of
from triage.policy.text.matters import Matter, matters_of
from triage.policy.ticket.checklist import checklist
from triage.policy.ticket.text.draft import comment_text, ticket_text
from triage.policy.ticket.text.summary import summary_of
from triage.policy.ticket.version_names import named_anywhere
from triage.policy.ticket.versions import BUG
from triage.toolsets.tickets.rules import CREATING, FOR_REVIEW, MODIFYING, SEARCHING

NO_TEXT: Final = "(no text)"


def decide(facts: RuleInput, results: Results, additions: Sequence[Addition] = ()) -> Action:
    """Comment on the thread's ticket or a certain candidate, propose done if the mail says fixed, else create."""
    if _one_refused(results) and facts.proposals:
        draft = drafted(replace(facts, proposals=()), additions)
        return Action((Call(CREATING, draft),), "Once more, for nobody.")
    if any(tool in {CREATING, MODIFYING} for tool, _ in results):
        return Action(text=summing_up(results))
    if not (facts.searched or facts.ticket or results):
        return Action((Call(SEARCHING, {"search_text": _words(facts)}),), "Looking for tickets about the same.")
    near = (*facts.near, *_found(results))
    target = _target(facts, near)
    if target is None:
        return _without_ticket(facts, near, additions)
    calls = [Call(MODIFYING, {"ticket_key": target.key, "comment": comment_text(facts) or NO_TEXT})]
    if facts.fixed and target.open and facts.done_status:
        calls.append(Call(MODIFYING, {"ticket_key": target.key, "status": facts.done_status}))
    return Action(tuple(calls), f"{target.key} is about the same: commenting there.")


def _without_ticket(facts: RuleInput, near: Sequence[Near], additions: Sequence[Addition]) -> Action:
    """Ask whether a likely ticket is done if the mail says fixed, else create."""
    if fixed := _fixed_ticket(facts, near):
        call = Call(MODIFYING, {"ticket_key": fixed.key, "status": facts.done_status})
        return Action((call,), f"{fixed.key} may be what works again: a person decides.")
    if facts.named:
        call = Call(MODIFYING, {"ticket_key": facts.named, "comment": comment_text(facts) or NO_TEXT})
        return Action((call,), f"It means {facts.named}: a person decides.")
    if (first := next((each for each in additions if each.call), None)) and first.call:
        return Action((first.call,), f"No ticket is certainly the same, and {first.why}.")
    drafts = _drafts(facts, additions)
    what = "creating one" if len(drafts) == 1 else f"creating {len(drafts)}, one for each matter"
    return Action(tuple(Call(CREATING, draft) for draft in drafts), f"No ticket is certainly the same: {what}.")


def summing_up(results: Results) -> str:
    """Summarize the results as the final text."""
    return " ".join(filter(None, (_sentence(tool, result) for tool, result in results))) or "Nothing was done."


def _one_refused(results: Results) -> bool:
    """Tell whether the only write, a create, was refused: perhaps Jira does not accept the proposed assignee."""
    writes = [result for tool, result in results if tool in {CREATING, MODIFYING}]
    return len(writes) == 1 and isinstance(writes[0], Mapping) and "error" in writes[0] and results[-1][0] == CREATING


def _sentence(tool: str, result: Json) -> str:
    if not isinstance(result, Mapping):
        return ""
    if "error" in result:
        return f"{tool} said: {result['error']}."
    waiting = "".join(f" Waiting for a person: {reason}." for reason in waits_for(result))
    if result.get("status") == "awaiting_approval":
        return waiting.strip()
    if tool == CREATING:
        return f"Created {result.get('key')}.{waiting}"
    if tool == MODIFYING:
        return f"{result.get('key')}: {', '.join(result.get('done', ())) or result.get('status')}.{waiting}"
    return ""


def _target(facts: RuleInput, near: Sequence[Near]) -> Near | None:
    """Return the ticket that the mail belongs to; None for a new one, as likeness alone never decides."""
    if facts.ticket:
        return Near(key=facts.ticket, probability=1.0, open=facts.ticket_open)
    if facts.trust == Trust.FAILED:
        return None  # a forged sender may not comment
    certain = [each for each in near if each.open and each.certain]
    return max(certain, key=lambda each: each.probability, default=None)


def _fixed_ticket(facts: RuleInput, near: Sequence[Near]) -> Near | None:
    """Return the open ticket that is probably meant by a mail that says that something works again."""
    if not facts.fixed or not facts.done_status or facts.trust == Trust.FAILED:
        return None
    likely = [each for each in near if each.open and (each.key in facts.keys or each.probability >= facts.may_be_from)]
    return max(likely, key=lambda each: each.probability, default=None)


def _found(results: Results) -> tuple[Near, ...]:
    """Return the candidates in the search tool's results."""
    lists = [r.get("tickets", ()) for tool, r in results if tool == SEARCHING and isinstance(r, Mapping)]
    return tuple(
        Near(
            key=str(t["key"]),
            probability=float(t.get("probability") or 0.0),
            open=t.get("category") != "done",
            certain=str(t.get("certain") or ""),
        )
        for tickets in lists
        for t in tickets
    )


def _words(facts: RuleInput) -> str:
    """Return the search text: the subject and the beginning of the text."""
    return f"{summary_of(facts.subject, '', facts.keys)} {' '.join(facts.text.split())}"[:300]


def _drafts(facts: RuleInput, additions: Sequence[Addition]) -> list[dict[str, Json]]:
    """Return a draft for each matter of the mail if it may create so many tickets, else one with a checklist."""
    matters = matters_of(facts.subject, facts.text)
    several = min(facts.creates, len(matters)) if facts.trust == Trust.VERIFIED else 1
    if several < 2:  # noqa: PLR2004 - one ticket, whatever the mail is about
        return [drafted(facts, additions, matters)]
    return [
        *(drafted(about(facts, each, matters), additions) for each in matters[: several - 1]),
        drafted(
            about(facts, matters[several - 1], matters),
            additions,
            matters[several - 1 :] if several < len(matters) else (),
        ),
    ]


def about(facts: RuleInput, matter: Matter, matters: Sequence[Matter]) -> RuleInput:
    """Return the facts of one matter alone: its words decide type, priority and day, else listed words around all of them do."""
    own = cues_of(Message(subject=Untrusted(matter.title), text=Untrusted(matter.text)))
    around = listed_of(Message(subject=Untrusted(facts.subject), text=_around(facts.text, matters)))
    kind, priority = _own_or_around(own.type, around.kind), _own_or_around(own.priority, around.priority.cue)
    says_when = [each for each in matters if facts.due and facts.due.evidence in each.text]
    return replace(
        facts,
        subject=matter.title,
        text=Untrusted(matter.text),
        rich=(),
        forward=False,
        type=kind.value,
        priority=priority.value,
        due=facts.due if not says_when or matter in says_when else None,
        affected=_affected(facts, matter, matters) if kind.value == BUG else (),
        proposals=(),  # they are for the whole mail, as the component is
        component="",
        likeliest="",
    )


def _affected(facts: RuleInput, matter: Matter, matters: Sequence[Matter]) -> tuple[str, ...]:
    """Return the affected versions that the matter names, and those that stand around all of them."""
    own, *others = (named_anywhere(f"{each.title}\n{each.text}", facts.affected) for each in (matter, *matters))
    elsewhere = frozenset().union(*others) - own
    return tuple(name for name in facts.affected if name not in elsewhere)


def _own_or_around(own: Cue, around: Cue) -> Cue:
    """Return what the matter's own words say, else those around it; few words may be in no language that is known."""
    cues = [one for one in (own, around) if one.evidence] or [one for one in (own, around) if one.value != NOT_READ]
    return cues[0] if cues else own


def _around(text: str, matters: Sequence[Matter]) -> Untrusted:
    """Return the words of a mail that stand in none of its matters: how it begins and ends holds for each of them."""
    for line in (line.strip() for matter in matters for line in matter.text.splitlines()):
        text = text.replace(line, "") if line else text
    return Untrusted(text)


def drafted(facts: RuleInput, additions: Sequence[Addition] = (), matters: Sequence[Matter] = ()) -> dict[str, Json]:
    """Return the arguments of the call that creates a ticket; several matters stand above its description to be ticked off."""
    may_be = (facts.likeliest,) if facts.likeliest else facts.components
    named = (facts.component,) if facts.component else components_in(f"{facts.subject}\n{facts.text}", may_be)
    text = ticket_text(facts, [each.text for each in matters])
    return {
        "summary": text.summary,
        "description": f"{checklist(matters)}{text.description}" or NO_TEXT,
        "issue_type": type_wanted(facts.text, facts.issue_types) or issue_type_of(facts.type, facts.issue_types),
        **({"priority": facts.priority} if facts.priority in facts.priorities else {}),
        **({"assignee": facts.proposals[0]} if facts.proposals else {}),
        **({"components": list(named)} if named else {}),
        **({"affects_versions": list(facts.affected)} if facts.affected else {}),
        **({"due_date": facts.due.day.isoformat()} if facts.due else {}),
        **({"labels": [FOR_REVIEW]} if facts.review else {}),
        **{name: value for each in additions for name, value in each.arguments.items()},
    }
