"""Decides which files, links and watchers a ticket gets."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.config.team import Member
from triage.config.ticket.attachments import FileKinds
from triage.domain.cases import Case
from triage.domain.effects import Effect, EffectState
from triage.domain.mail import Attachment, Message, Trust, numbered
from triage.domain.tickets import Attached, Person, Project
from triage.policy.people.members import by_address
from triage.policy.ticket.markdown import literal

MOST_FILES: Final = 20
MOST_WATCHERS: Final = 10
LONG: Final = 8_000
"""Characters; of a longer mail the ticket shows only a part."""
SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
ALL_KINDS: Final = FileKinds()
RELATES: Final = ("relates", "relate", "related", "relates to")


class RawMail(StrEnum):
    """When the raw mail is attached to the ticket."""

    NEVER = "never"
    LONG = "long"
    """When the ticket cannot show all of it."""
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Files:
    """The attachments for the ticket, and a note for each file that is left out."""

    wanted: tuple[Attachment, ...] = ()
    left: tuple[str, ...] = ()
    refused: bool = False
    """Some are of a kind that tickets must not get."""


@dataclass(frozen=True, slots=True)
class LinkToAdd:
    """A link from our new ticket to another one."""

    key: str
    why: str


def files_for(mail: Message, limit: int, kinds: FileKinds = ALL_KINDS) -> Files:
    """Select each file of these kinds once, in order; `limit` is Jira's largest size in bytes, 0 allows none."""
    once = {attachment.sha256: attachment for attachment in reversed(mail.attachments)}
    files = [one for one in mail.attachments if once.get(one.sha256) is one and not _worthless(one)]
    unwanted = {one.sha256: why for one in files if (why := kinds.refused(one.name, one.content_type))}
    refused = {one.sha256: why for one in files if (why := _too_large(one, limit))} | unwanted
    fitting = [one for one in files if one.sha256 not in refused]
    left = [f"{one.name}: {refused[one.sha256]}" for one in files if one.sha256 in refused]
    if len(fitting) > MOST_FILES:
        left.append(f"{len(fitting) - MOST_FILES} more files: a mail brings {MOST_FILES} at most")
    return Files(tuple(fitting[:MOST_FILES]), tuple(left), refused=bool(unwanted))


def names_beside(
    pictures: Sequence[Attachment], hanging: Sequence[Attached], begun: Collection[str] = ()
) -> dict[str, str]:
    """Give each file, by its hash, a name that no other file of the ticket has.

    Outlook calls the first picture of every mail `image001.png`, and of two files with one name Data Center shows the later
    one in both places. A file of the same size among those in `begun` was attached before a restart and keeps its name.
    """
    sizes: dict[str, set[int]] = defaultdict(set)
    for file in hanging:
        sizes[file.name.casefold()].add(file.size)
    names: dict[str, str] = {}
    for one in pictures:
        own = {one.size} if one.sha256 in begun else set()
        names[one.sha256] = next(name for name in numbered(one.name) if sizes[name.casefold()] <= own)
        sizes[names[one.sha256].casefold()].add(one.size)
    return names


def called(text: str, pictures: Sequence[Attachment], names: Mapping[str, str]) -> str:
    """Replace the names of pictures in our Markdown, escaped or not."""
    marks = {
        one.mark: f"[image: {names[one.sha256]}]" for one in pictures if names.get(one.sha256, one.name) != one.name
    }
    both = marks | {literal(old): literal(new) for old, new in marks.items()}
    return re.sub("|".join(map(re.escape, both)), lambda found: both[found[0]], text) if both else text


def raw_wanted(mail: Message, when: RawMail) -> bool:
    """Tell whether to attach the raw mail. Of a forward the ticket shows all text, of others only the new text."""
    left_out = bool(mail.left_out) and "forward" not in mail.flags
    cut = (
        left_out
        or len(mail.text) > LONG
        or any(flag == "unparsed" or flag.startswith("degraded") for flag in mail.flags)
    )
    return when is RawMail.ALWAYS or (when is RawMail.LONG and cut)


def ties_of(case: Case, created: str, may_be_from: float) -> tuple[LinkToAdd, ...]:
    """Return links to earlier tickets of the sender and to similar ones; of a verified sender to those he names or answers."""
    ties: dict[str, LinkToAdd] = {}
    for tie in _ties(case, may_be_from):
        ties.setdefault(tie.key, tie)
    return tuple(tie for tie in ties.values() if tie.key != created)


def relating(project: Project) -> str | None:
    """Return the project's name for the link type "relates to", None if there is none."""
    return next((name for name in project.link_types if name.casefold() in RELATES), None)


def watchers_of(case: Case, project: Project, team: Sequence[Member] = ()) -> tuple[Person, ...]:
    """Return the people of the project in copy, by exact address; nobody if the sender is not proven."""
    if case.identity.trust is not Trust.VERIFIED:
        return ()
    known = by_address(team, project.people)
    found = (known.get(one.address) for one in case.mail.cc if case.mail.sender != one)
    return tuple(dict.fromkeys(person for person in found if person is not None))[:MOST_WATCHERS]


def ticket_of(effects: Sequence[Effect]) -> tuple[str | None, bool]:
    """Return the first ticket that this case created or commented on, and whether it is new."""
    if created := created_in(effects):
        return created[0], True
    kinds = {"comment", "report"}
    comments = (effect.target for effect in effects if effect.kind in kinds and effect.state is EffectState.DONE)
    return next(comments, None), False


def created_in(effects: Sequence[Effect]) -> tuple[str, ...]:
    """Return the tickets that this case created, in order: a mail with several matters creates one for each."""
    return tuple(each.result for each in effects if each.kind == "create" and each.state is EffectState.DONE)


def _ties(case: Case, may_be_from: float) -> Iterator[LinkToAdd]:
    if case.identity.trust is Trust.FAILED:
        return
    if case.identity.succeeds:
        yield LinkToAdd(case.identity.succeeds, "the thread's earlier ticket, which is done")
    if case.identity.new_topic:
        yield LinkToAdd(case.identity.new_topic, "a new topic in its thread")
    if case.identity.foreign_thread and case.identity.trust is Trust.VERIFIED:
        yield LinkToAdd(case.identity.foreign_thread, "answers its thread, of which the sender is no part")
    if case.identity.follow_up:
        yield LinkToAdd(case.identity.follow_up, "the same sender's earlier matter")
    for key in _found_by_agent(case):
        yield LinkToAdd(key, "the agent found it to be of the same matter")
    yield from _similar(case, may_be_from)
    if case.identity.trust is Trust.VERIFIED:
        yield from (LinkToAdd(key, "the mail names it") for key in case.named)


def _similar(case: Case, may_be_from: float) -> Iterator[LinkToAdd]:
    """Yield the tickets that may be the same by words, and by meaning."""
    for candidate in case.retrieval.candidates[:1]:
        if candidate.probability >= may_be_from and candidate.ticket.key != case.identity.foreign_thread:
            done = () if candidate.ticket.open else ("it is done",)
            because = "; ".join((*(candidate.evidence or ("words in common",)), *done))
            yield LinkToAdd(candidate.ticket.key, f"may be the same, {candidate.percent}: {because}")
    if alike := case.retrieval.alike:
        yield LinkToAdd(alike.key, "means nearly the same" if alike.open else "means nearly the same; it is done")


def _found_by_agent(case: Case) -> Iterator[str]:
    """Yield the tickets that calls of the run have named as related to the ones that they made."""
    for run in case.calls:
        if run.facts.get("status") == "created" and "related" in run.facts:
            yield str(run.facts["related"])


def _worthless(file: Attachment) -> bool:
    """Tell whether nobody would open this file, such as a signature."""
    return (file.inline and file.tiny_picture) or file.size == 0 or file.content_type in SIGNATURES


def _too_large(file: Attachment, limit: int) -> str:
    if limit == 0:
        return "attachments are switched off in Jira"
    return f"{_megabytes(file.size)}, Jira takes {_megabytes(limit)}" if file.size > limit else ""


def _megabytes(size: int) -> str:
    return f"{size / 2**20:.1f} MB"
