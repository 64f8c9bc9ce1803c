"""What must be true when the dust has settled: sent, accepted, stored, decided and written are the same mails."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from rich.console import Console
from rich.table import Table

from tests.chaos.chaos_run import ChaosRun, Stored, Written
from tests.chaos.senders import DONE, Delivery
from triage.domain.cases import Outcome

ALL: Final = "all"
Figures = Counter[str]
"""By the way that mails came, or one for all."""


@dataclass(slots=True)
class Line:
    """One line of the table."""

    figures: Figures
    wanted: str = ""
    """What it must be, in words."""
    good: bool = True


@dataclass(slots=True)
class Identity:
    """The lines by what they count."""

    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        """One sentence for each broken promise."""
        return [
            f"{what}: {dict(line.figures)}, wanted: {line.wanted}" for what, line in self.lines.items() if not line.good
        ]

    def count(self, what: str, figures: Figures) -> None:
        """A line that promises nothing."""
        self._add(what, Line(figures))

    def same(self, what: str, figures: Figures, others: Figures, wanted: str) -> None:
        """It must be the same on each way."""
        self._add(what, Line(figures, wanted, good=figures == others))

    def none(self, what: str, figures: Figures) -> None:
        """It must not happen."""
        self._add(what, Line(figures, "0", good=not figures.total()))

    def add(self, other: Self) -> None:
        """Another run, beside this one: good is only what is good in both."""
        for what, line in other.lines.items():
            self._add(what, line)

    def _add(self, what: str, line: Line) -> None:
        known = self.lines.setdefault(what, Line(Counter(), line.wanted))
        known.figures.update(line.figures)
        known.good &= line.good

    def print(self, console: Console, ways: Sequence[str]) -> None:
        """For people."""
        table = Table(title="The identity", title_justify="left", show_edge=False, pad_edge=False)
        table.add_column("", no_wrap=True)
        for way in (*ways, ALL):
            table.add_column(way, justify="right", no_wrap=True)
        table.add_column("must be", no_wrap=True)
        for what, line in self.lines.items():
            if not line.wanted and not line.figures.total():
                continue
            each = (str(line.figures.get(way, "")) for way in ways)
            told = f"{line.wanted} {'✓' if line.good else '✗'}" if line.wanted else ""
            table.add_row(what, *each, str(line.figures.total()), told)
        console.print(table)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that there is to judge by, of one run."""

    deliveries: tuple[Delivery, ...]
    stored: tuple[Stored, ...]
    tickets: tuple[Written, ...]
    comments: tuple[Written, ...]
    closed: tuple[str, ...]
    files: tuple[tuple[int, bytes], ...]
    inbox: tuple[bytes, ...]
    """As Dovecot has it."""
    done: tuple[bytes, ...]
    cursor: int
    answers: Counter[str]
    orphans: int
    ways: Mapping[str, str]
    """By the source that mails have in the store."""

    def accepted(self, delivery: Delivery) -> bool:
        """We have said to have it: by a 2xx, or by a cursor behind it."""
        return delivery.acknowledged or 0 < delivery.uid <= self.cursor

    def way(self, source: str) -> str:
        """How mails of a source came."""
        return self.ways.get(source, source)


async def evidence_of(run: ChaosRun) -> Evidence:
    """Collect it; the processes have gone."""
    post, hooks = run.feed.post, run.feed.hooks
    return Evidence(
        deliveries=tuple(delivery for sender in run.feed.senders for delivery in sender.deliveries),
        stored=tuple(await run.stored()),
        tickets=tuple(run.tickets()),
        comments=tuple(run.comments()),
        closed=tuple(run.closed()),
        files=tuple(run.files()),
        inbox=tuple(post.lying_in("INBOX")),
        done=tuple(post.lying_in(DONE)),
        cursor=await run.cursor(),
        answers=run.answers,
        orphans=sum(len(process.orphans()) for process in run.processes),
        ways={f"imap:{post.person.name}": post.way} | {f"webhook:{hook.way}": hook.way for hook in hooks},
    )


def judged(found: Evidence) -> Identity:
    """The identity of one run."""
    identity = Identity()
    _intake(identity, found)
    _mailbox(identity, found)
    _ends(identity, found)
    _tickets(identity, found)
    _comments(identity, found)
    identity.none("readers that outlived their process", Counter({ALL: found.orphans}))
    return identity


def _intake(identity: Identity, found: Evidence) -> None:
    """From the first byte to the case."""
    sent = Counter(delivery.way for delivery in found.deliveries)
    accepted = Counter(delivery.way for delivery in found.deliveries if found.accepted(delivery))
    in_store = Counter((found.way(one.source), one.raw) for one in found.stored)
    out_there = Counter((delivery.way, delivery.mail.raw) for delivery in found.deliveries)
    identity.count("mails sent", sent)
    identity.count("  in so many tries", _tries(found.deliveries))
    identity.same("accepted: 2xx, or below the cursor", accepted, sent, "as sent")
    identity.same("cases", _by_way(in_store), accepted, "as accepted")
    identity.same("  whose bytes are those sent", _by_way(in_store & out_there), sent, "as sent")
    identity.none("accepted mails that are not stored", _by_way(_accepted(found) - in_store))
    identity.none("cases too many: doubles, or of mails nobody sent", _by_way(in_store - out_there))
    identity.none("2xx that named no case, or another mail's", _misnamed(found))
    identity.none("answers by which a provider gives up", _final(found.answers))


def _mailbox(identity: Identity, found: Evidence) -> None:
    """The mails that were taken lie where taken ones go, each once."""
    appended = Counter(delivery.mail.raw for delivery in found.deliveries if delivery.uid)
    moved = Counter(found.done)
    here = Counter({"imap": (moved & appended).total()})
    identity.same("mails moved out of the mailbox", here, Counter({"imap": appended.total()}), "as sent")
    identity.none("  moved twice, or still in it", Counter({"imap": (moved - appended).total() + len(found.inbox)}))


def _ends(identity: Identity, found: Evidence) -> None:
    """Every accepted mail is in one state."""
    states = Counter(str(one.case.outcome or "without an end") for one in found.stored)
    accepted = sum(found.accepted(delivery) for delivery in found.deliveries)
    identity.same("states of all cases, summed up", _all(states.total()), _all(accepted), "as accepted")
    for state in map(str, Outcome):
        identity.count(f"  {state}", _all(states[state]))
    told_later = sum(one.due and one.case.collects is not None for one in found.stored)
    identity.count("  of these commented, telling of held ones later", _all(told_later))
    identity.none("cases without an end, or still due", _all(sum(one.unfinished for one in found.stored)))


def _tickets(identity: Identity, found: Evidence) -> None:
    """Those in Jira's tables against what the cases say; Jira is right."""
    cases = {one.case.id: one.case for one in found.stored}
    there = {(ticket.case, ticket.key) for ticket in found.tickets}
    owners = {case.id for case in cases.values() if (case.id, case.ticket) in there}
    ticketed = [case for case in cases.values() if case.outcome is Outcome.TICKETED]
    identity.same("tickets in Jira", _all(len(found.tickets)), _all(len(owners)), "one a case")
    identity.none("  tickets of no case", _all(sum(ticket.case not in owners for ticket in found.tickets)))
    identity.none("  tickets twice by their mark", _all(_doubles(ticket.label for ticket in found.tickets)))
    identity.none("  tickets closed, though nobody works on them", _all(len(found.closed)))
    identity.none("ticketed cases without theirs", _all(sum((case.id, case.ticket) not in there for case in ticketed)))


def _comments(identity: Identity, found: Evidence) -> None:
    """The same for comments; throttled mails share one, and so do the later reports on one ticket."""
    there = {(comment.case, comment.key) for comment in found.comments}
    alone = [
        one.case
        for one in found.stored
        if one.case.outcome is Outcome.COMMENTED
        and not any(flag.startswith("throttled:") for flag in one.case.flags)
        and "comment on further reports" not in one.case.reason
    ]
    identity.count("comments in Jira", _all(len(found.comments)))
    identity.none("  comments twice by their mark", _all(_doubles(f"{c.key} {c.label}" for c in found.comments)))
    identity.none("commented cases without theirs", _all(sum((case.id, case.ticket) not in there for case in alone)))
    identity.count("files on new tickets", _all(len(found.files)))
    identity.none("  twice on the same one", _all(_doubles(found.files)))


def _all(count: int) -> Figures:
    return Counter({ALL: count})


def _tries(deliveries: Iterable[Delivery]) -> Figures:
    tries: Figures = Counter()
    for delivery in deliveries:
        tries[delivery.way] += delivery.tries
    return tries


def _accepted(found: Evidence) -> Counter[tuple[str, bytes]]:
    return Counter((d.way, d.mail.raw) for d in found.deliveries if found.accepted(d))


def _misnamed(found: Evidence) -> Figures:
    """Each 2xx names the one case that holds the mail, however often it was brought."""
    raws = {one.case.id: one.raw for one in found.stored}
    return Counter(
        delivery.way
        for delivery in found.deliveries
        if delivery.acknowledged and [raws.get(case) for case in delivery.cases] != [delivery.mail.raw]
    )


def _final(answers: Counter[str]) -> Figures:
    return _all(sum(count for status, count in answers.items() if status.startswith("4")))


def _by_way(mails: Counter[tuple[str, bytes]]) -> Figures:
    ways: Figures = Counter()
    for (way, _), count in mails.items():
        ways[way] += count
    return ways


def _doubles(things: Iterable[Hashable]) -> int:
    return sum(count - 1 for count in Counter(things).values())
