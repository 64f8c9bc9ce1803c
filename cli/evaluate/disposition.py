"""`triage eval disposition`: counts what becomes of mails whose right end is known: spam ticketed, business mail lost."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.console import print_json, screen, table
from cli.evaluate.data_files import rows_of
from cli.verb import AsJson
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.domain.findings import DispositionFinding
    from triage.domain.mail import Message

TITLES: Final = ("subject", "summary", "title")
TEXTS: Final = ("text", "description", "body")
AUTOMATED: Final = frozenset({"bounce", "dsn", "feedback-loop", "autoreply"})
"""Kinds in a manifest that are no business mail."""
SENDER: Final = "somebody@unknown.example"
"""Texts without a header are judged as mails of a sender whom nobody knows and nothing proves."""


@dataclass(slots=True)
class DispositionCount:
    """Counts of what would become of the mails of one file, or of all; shares are 0 to 1."""

    mails: int = 0
    shares: dict[str, float] = field(default_factory=dict)
    """Disposition → share of all mails."""
    spam: int = 0
    spam_ticketed: int = 0
    """Spam for which a ticket or a comment would be written."""
    business: int = 0
    business_lost: int = 0
    """Business mail that would be ignored, visibly."""
    business_to_person: int = 0
    business_lost_share: float = 0.0
    business_to_person_share: float = 0.0
    spam_ticketed_share: float = 0.0


@dataclass(frozen=True, slots=True)
class JudgedMail:
    """One mail: what it is and what would become of it."""

    name: str
    label: str
    """spam, business or automatic."""
    finding: "DispositionFinding"
    action: str


Files = Annotated[
    list[Path],
    typer.Argument(exists=True, help="manifest.jsonl of mails, or JSON lines with title and text; .gz, too."),
]
Limit = Annotated[int, typer.Option(min=0, help="So many of each file; 0: all.")]
Show = Annotated[bool, typer.Option("--show", help="List the wrong ones on standard error.")]


def disposition(files: Files, limit: Limit = 0, as_json: AsJson = False, show: Show = False) -> None:
    """Say what becomes of mails by rules alone. Exit code 1 where more than one business mail of 1,000 is lost.

    A line of a manifest is spam where `expect.spam` is true; all others are business mail, apart from bounces, automatic
    answers and newsletters that headers prove to be such (`triage eval mail` measures those). Lines with a title and a text count as business mail of an unknown, unproven sender.
    """
    by_file: dict[str, DispositionCount] = {}
    everything: list[JudgedMail] = []
    for path in files:
        judged = [*_judged(path / "manifest.jsonl" if path.is_dir() else path, limit)]
        by_file[str(path)] = count_of(judged)
        everything += judged
    total = count_of(everything)
    if show:
        wrong = [(one.name, one.label, str(one.finding.disposition), _why(one)) for one in everything if _is_wrong(one)]
        screen(error=True).print(table(("mail", "label", "disposition", "evidence"), wrong))
    if as_json:
        print_json({"total": total, "files": by_file})
    else:
        rows = [(name, *_row(count)) for name, count in (*by_file.items(), ("all", total))]
        columns = ("file", "mails", "spam ticketed", "business lost", "to a person", "dispositions")
        screen().print(table(columns, rows))
    raise typer.Exit(1 if total.business_lost * 1000 > max(total.business, 1000) else 0)


def count_of(judged: list[JudgedMail]) -> DispositionCount:
    spam = [one for one in judged if one.label == "spam"]
    business = [one for one in judged if one.label == "business"]
    dispositions = Counter(str(one.finding.disposition) for one in judged)
    found = DispositionCount(
        mails=len(judged),
        shares={name: round(number / len(judged), 4) for name, number in sorted(dispositions.items())},
        spam=len(spam),
        spam_ticketed=sum(one.action in {"ticket", "comment"} for one in spam),
        business=len(business),
        business_lost=sum(one.action == "ignore" for one in business),
        business_to_person=sum(one.action == "person" for one in business),
    )
    found.spam_ticketed_share = round(found.spam_ticketed / max(found.spam, 1), 4)
    found.business_lost_share = round(found.business_lost / max(found.business, 1), 5)
    found.business_to_person_share = round(found.business_to_person / max(found.business, 1), 4)
    return found


def _judged(path: Path, limit: int) -> Iterator[JudgedMail]:
    """Judge the mails of a file as the pipeline would, with the table of `triage.yaml`'s defaults."""
    from triage.config.dispositions.table import DispositionTable
    from triage.domain.findings import Disposition

    table = DispositionTable()
    for number, (name, label, message) in enumerate(_mails(path)):
        if limit and number >= limit:
            return
        finding = _finding_of(message)
        by_headers = label == "business" and finding.disposition in {Disposition.AUTOMATIC, Disposition.NEWSLETTER}
        proven = by_headers and not finding.unwanted
        yield JudgedMail(name, "automatic" if proven else label, finding, table.action_about(finding).value)


def _finding_of(message: "Message") -> "DispositionFinding":
    from triage.policy.decision.disposition.disposition import Facts, disposition_of
    from triage.policy.sender.kind import kind_of
    from triage.policy.sender.spam_headers import server_verdict
    from triage.policy.sender.trust_verdict import Edge
    from triage.policy.text.cues import cues_of

    return disposition_of(
        Facts(
            message=message,
            kind=kind_of(message),
            server=server_verdict(message, Edge()),
            cues=cues_of(message, (), "TRIAGE"),
        )
    )


def _mails(path: Path) -> Iterator[tuple[str, str, "Message"]]:
    """Yield name, label and mail of each line. Raises `SettingsInvalid` that names a line which is none."""
    from cli.wiring.mail import message_of

    for number, row in rows_of(path):
        if isinstance(row.get("file"), str):
            mail = path.parent / "files" / row["file"]
            if mail.is_file():
                yield row["file"], _label_of(row), message_of(mail.read_bytes())
            continue
        title, text = (next((str(row[name]) for name in names if row.get(name)), "") for names in (TITLES, TEXTS))
        if not {*TITLES, *TEXTS} & row.keys():
            raise SettingsInvalid((f"{path.name}, line {number}: has neither a title nor a text",))
        yield str(row.get("id", number)), "spam" if row.get("label") == "spam" else "business", _mail_of(title, text)


def _mail_of(title: str, text: str) -> "Message":
    from triage.domain.mail import Address, Message

    known = Message.of_text(title, text)
    return replace(known, sender=Address(address=SENDER), to=(Address(address="desk@us.example"),))


def _label_of(row: Mapping[str, Any]) -> str:
    if (row.get("expect") or {}).get("spam") is True:
        return "spam"
    return "automatic" if row.get("kind") in AUTOMATED else "business"


def _is_wrong(one: JudgedMail) -> bool:
    return (
        one.action in ({"ticket", "comment"} if one.label == "spam" else {"ignore", "person"})
        and one.label != "automatic"
    )


def _why(one: JudgedMail) -> str:
    return f"{one.finding.confidence:.2f} {'; '.join(one.finding.evidence)}"


def _row(count: DispositionCount) -> tuple[str, ...]:
    return (
        str(count.mails),
        f"{count.spam_ticketed} of {count.spam}",
        f"{count.business_lost} of {count.business}",
        f"{count.business_to_person} ({count.business_to_person_share:.1%})",
        ", ".join(f"{name} {share:.1%}" for name, share in count.shares.items()),
    )
