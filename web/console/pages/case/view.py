"""Makes the contents of a case's page from its report."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import Candidate, Cue, Cues, Identity
from triage.domain.mail import Attachment, Message
from triage.domain.reports import CaseLine, Report
from triage.domain.text.soft_breaks import soft_wrapped

NEAR: Final = 0.01
"""Probability below which a ticket is not listed."""
CANDIDATES: Final = 8
LINE_SIGNS: Final = 70
"""Characters of a line of the mail's frame beside what was seen."""
LINE_PIXELS: Final = 22
FRAME_MARGIN: Final = 34
"""Pixels around the text: its padding, and a label above a marked word."""
HISTORY: Final = 12
"""Quoted lines in a row from which on the frame folds them."""
FRAME_LEAST, FRAME_MOST = 120, 640
"""Pixels of a frame; a longer mail is scrolled in it."""
UNUSUAL: Final = {
    "hidden-text": "has text that a reader cannot see",
    "alternatives-differ": "says something else in its plain text",
    "many-from": "names several senders",
    "from-disagrees": "has a sender that can be read in two ways",
    "invisible-characters": "has invisible characters",
    "encrypted": "is encrypted",
    "degraded:text": "is too long to be read whole",
    "degraded:parts": "has more parts than are read: the others are in the download alone",
    "degraded:html": "is too deeply nested to be read whole",
}
"""What of a mail's oddities a person wants to know; the others are for the log."""


_LINK: Final = re.compile("https?://|mailto:", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """Something that was found, and what gave it."""

    name: str
    value: str
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NearView:
    """A ticket that may be about the same matter."""

    key: str
    percent: int
    summary: str
    status: str
    because: tuple[str, ...]
    taken: bool
    """The case ended in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Somebody:
    """A person for the ticket."""

    name: str
    percent: int | None
    points: tuple[tuple[str, str], ...]
    """Argument, and what it counts: `+0.4`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """An attachment in the list of files."""

    number: int
    name: str
    kind: str
    size: str
    inline: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCard:
    """The envelope of a mail; its text comes in a frame of its own."""

    name: str
    """Of the sender; he may give none."""
    address: str
    to: str
    cc: str
    date: datetime | None
    trust: str
    trust_because: tuple[str, ...]
    files: tuple[File, ...]
    oddities: tuple[str, ...]
    height: int
    """Pixels of the frame: a frame without scripts cannot be measured, so the lines of the text are counted."""
    links: bool
    """Whether it may have some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A step in the chart of times: milliseconds, and where the bar stands in a width of 100."""

    name: str
    ms: str
    start: float
    width: float
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saw:
    """What was found in a mail."""

    findings: tuple[FindingView, ...]
    near: tuple[NearView, ...]
    more: int
    """Tickets that are hardly alike and not listed."""
    people: tuple[Somebody, ...]
    left_out: tuple[tuple[str, str], ...]


def mail_card(case: Case, mail: Message) -> MailCard:
    """Return the envelope of a case's mail."""
    return MailCard(
        name=str(mail.sender.name) if mail.sender else "",
        address=str(mail.sender.address) if mail.sender else "",
        to=_people(map(str, mail.to)),
        cc=_people(map(str, mail.cc)),
        date=mail.date,
        trust=case.identity.trust.value,
        trust_because=case.identity.trust_because,
        files=tuple(_file(number, one) for number, one in enumerate(mail.attachments, 1)),
        oddities=tuple(words for flag, words in UNUSUAL.items() if flag in mail.flags),
        height=height_of(soft_wrapped(mail.text)),
        links=has_links(mail),
    )


def height_of(text: str) -> int:
    """Return the pixels that a text takes beside what was seen; folded history counts as the two lines of its summary."""
    lines = 0
    for quoted, group in groupby(text.splitlines(), key=lambda line: line.startswith(">")):
        some = list(group)
        lines += 2 if quoted and len(some) >= HISTORY else sum(1 + len(line) // LINE_SIGNS for line in some)
    return min(max(FRAME_LEAST, FRAME_MARGIN + lines * LINE_PIXELS), FRAME_MOST)


def has_links(mail: Message) -> bool:
    """Tell whether a mail may have links: its text names addresses, or its HTML has some or is not known."""
    marks = {mark.kind for line in mail.rich for mark in line.marks} - {"strong", "code"}
    return bool(marks or _LINK.search(mail.text)) or "alternatives-differ" in mail.flags


def _people(names: Iterable[str]) -> str:
    return ", ".join(names)


def _file(number: int, one: Attachment) -> File:
    return File(
        number=number,
        name=one.name or "without a name",
        kind=one.content_type,
        size=size_of(one.size),
        inline=one.inline,
    )


def size_of(size: int) -> str:
    """Return bytes as people read them: `312 bytes`, `4.2 MB`."""
    if size < 1000:  # noqa: PLR2004 - units
        return f"{size} bytes"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"  # noqa: PLR2004 - units


def saw_of(case: Case) -> Saw:
    """Return what was found in the mail of a case, with the evidence."""
    candidates, retrieval = case.retrieval.candidates, case.retrieval
    near = [one for one in candidates if one.probability >= NEAR][:CANDIDATES]
    return Saw(
        findings=tuple(_findings(case)),
        near=tuple(_near(one, case) for one in near),
        more=len(candidates) - len(near),
        people=tuple(
            Somebody(
                name=str(one.person.name),
                percent=None if one.probability is None else round(100 * one.probability),
                points=tuple((point.why, f"{round(point.value, 1):+g}") for point in one.points),
            )
            for one in retrieval.proposals
        ),
        left_out=tuple((one.name, one.why) for one in retrieval.left_out),
    )


def _sender(identity: Identity) -> FindingView:
    kind = identity.kind
    because = identity.trust_because + (kind.evidence if kind else ())
    return FindingView(name="Sender", value=f"{identity.trust} {kind.kind if kind else ''}".strip(), because=because)


def _findings(case: Case) -> Iterable[FindingView]:
    found, cues, route = case.classification.disposition, case.cues, case.route
    if found:
        value = f"{worded(found.disposition)}, {100 * found.confidence:.0f} %"
        yield FindingView(name="What it is", value=value, because=found.evidence)
    yield _sender(case.identity)
    if case.identity.joined:
        yield FindingView(name="Thread", value=f"of {case.ticket}", because=(case.identity.joined.value,))
    if route:
        because = (*route.because, *(f"passed over {one}" for one in route.passed_over))
        yield FindingView(name="Route", value=f"{route.rule}: {route.pipeline}, agent {route.profile}", because=because)
        yield _cue("Type", cues.type)
        yield _cue("Priority", cues.priority)
    yield from _words(cues)
    for guess in case.retrieval.components[:1]:
        percent = f"{100 * guess.probability:.0f} %"
        yield FindingView(name="Component", value=f"{guess.name}, {percent}", because=guess.evidence)


def _words(cues: Cues) -> Iterable[FindingView]:
    """Yield what is found in the words beside type and priority."""
    for name, cue in (("Works again", cues.fixed), ("Asks", cues.question)):
        if cue.value == "yes":
            yield _cue(name, cue)
    if cues.technologies:
        words = tuple(word for one in cues.technologies for word in one.evidence)
        yield FindingView(name="Technology", value=", ".join(one.value for one in cues.technologies), because=words)
    if cues.people:
        yield FindingView(name="Names", value=", ".join(cues.people))


def _cue(name: str, cue: Cue) -> FindingView:
    return FindingView(name=name, value=cue.value, because=cue.evidence)


def _near(one: Candidate, case: Case) -> NearView:
    return NearView(
        key=one.ticket.key,
        percent=round(100 * one.probability),
        summary=one.ticket.summary,
        status=one.ticket.status,
        because=(*one.evidence, *filter(None, (one.certain,))),
        taken=one.ticket.key == case.ticket,
    )


def worded(name: str) -> str:
    """Return a name of the code as people say it: `not for us`."""
    return name.replace("_", " ")


def bars_of(report: Report) -> tuple[Bar, ...]:
    """Return the steps of the last run of the pipeline as bars of one chart."""
    steps = report.steps[_last_start(report) :]
    whole = sum(step.ms for step in steps) or 1.0
    bars, at = [], 0.0
    for step in steps:
        width = 100 * step.ms / whole
        bars.append(
            Bar(
                name=step.name,
                ms=f"{step.ms:,.0f}",
                start=round(at, 2),
                width=round(max(width, 0.4), 2),
                note=step.note,
            )
        )
        at += width
    return tuple(bars)


def _last_start(report: Report) -> int:
    """Return the place of the last step `read`, with which a replay begins anew."""
    return max((place for place, step in enumerate(report.steps) if step.name == "read"), default=0)


def thread_of(report: Report, lines: Iterable[CaseLine]) -> tuple[CaseLine, ...]:
    """Return the other cases of the same ticket, newest first."""
    return tuple(line for line in lines if line.id != report.case.id)
