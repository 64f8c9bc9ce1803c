"""`triage eval mail`: measures the reading of mails against a manifest of expected values."""

import json
import re
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.console import print_json, screen, table
from cli.evaluate.data_files import rows_of
from cli.verb import AsJson
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.domain.mail import KindVerdict, Message


AUTOMATED: Final = frozenset({"bounce", "dsn", "feedback-loop", "autoreply"})
HUMAN: Final = ("ticket", "not-bounce", "ham", "reply-mail", "list-")
MACHINE_SIGNALS: Final = frozenset(
    {"auto-submitted", "null-return-path", "report", "list-unsubscribe", "precedence-bulk"}
)
"""Signals on which a mail may be judged automatic although it is labelled human."""
PARTS: Final = ("plain", "html", "attached")
"""Kinds of parts that text can be lost from."""
_QUOTED: Final = re.compile(r"\s{0,3}\w{0,3}[>\uff1e]")
NO_MAILS: Final = frozenset({"bounce-webhook"})
MADE_BY_SOURCE: Final = "message.html"
"""One source of mails lists the HTML body as an attachment of this name."""


@dataclass(slots=True)
class AnswerShare:
    """`exact` of `checked` were right; None if nothing could be checked."""

    checked: int | None = None
    exact: int | None = None

    def count(self, *, right: bool) -> None:
        """Add one result."""
        self.checked = (self.checked or 0) + 1
        self.exact = (self.exact or 0) + right


@dataclass(slots=True)
class Replies:
    """Compares reply texts with what the senders wrote, ignoring white space."""

    cases: int | None = None
    exact: int | None = None
    but_quotes: int | None = None
    """Right, too, but for quoted lines above the answers to them."""
    empty: int | None = None
    """Nothing was left of a reply with text."""


@dataclass(slots=True)
class Kinds:
    """Automatic mails found, and human mails judged automatic."""

    automated: int | None = None
    found: int | None = None
    human: int | None = None
    false_alarms: int | None = None


@dataclass(slots=True)
class ThreadScore:
    """Precision and recall over pairs of mails in the same thread."""

    precision: float | None = None
    recall: float | None = None


@dataclass(slots=True)
class MailFigures:
    """What `--json` prints."""

    messages: int = 0
    raised: int = 0
    text_lost: int = 0
    """Mails with a part whose words our text lacks."""
    text_lost_by_part: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    median_ms: float | None = None
    headers: AnswerShare = field(default_factory=AnswerShare)
    attachments: AnswerShare = field(default_factory=AnswerShare)
    reply: Replies = field(default_factory=Replies)
    kind: Kinds = field(default_factory=Kinds)
    threads: ThreadScore = field(default_factory=ThreadScore)


@dataclass(frozen=True, slots=True)
class MailMiss:
    """A difference between the expected and the actual reading."""

    file: str
    what: str
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class EvaluatedMail:
    """One line of the manifest and the reading of its file."""

    row: Mapping[str, Any]
    raw: bytes
    message: "Message"
    verdict: "KindVerdict"
    ms: float
    """Processor time of the reading."""

    @property
    def expect(self) -> Mapping[str, Any]:
        """The expected values, as far as they are known."""
        return self.row.get("expect") or {}


Manifest = Annotated[
    Path, typer.Argument(exists=True, help="manifest.jsonl (or its folder); the mails lie in files/ beside it.")
]
Show = Annotated[bool, typer.Option("--show", help="List what was read wrongly, on standard error.")]


def mail(manifest: Manifest, as_json: AsJson = False, show: Show = False) -> None:
    """Read mails whose right reading is known and say how often we are right. Exit code 1 where reading failed.

    In a manifest `expect.reply` is what the sender newly wrote, a list of texts where each of them is right, or "" where nothing was written.
    """
    path = manifest / "manifest.jsonl" if manifest.is_dir() else manifest
    figures, misses = evaluated(path)
    if show:
        lines = [(one.file, one.what, _short(one.expected), _short(one.got)) for one in misses]
        screen(error=True).print(table(("mail", "what", "expected", "got"), lines))
    if as_json:
        print_json(figures)
    else:
        rows = [(name, _short(value)) for name, value in asdict(figures).items()]
        screen().print(table(("figure", "value"), rows))
    raise typer.Exit(1 if figures.raised or figures.text_lost else 0)


def evaluated(path: Path) -> tuple[MailFigures, list[MailMiss]]:
    """Read all mails of a manifest; return the figures and the misses."""
    outcomes = [_tried(row, path.parent / "files") for row in _rows(path)]
    readings = [one for one in outcomes if isinstance(one, EvaluatedMail)]
    misses = [one for one in outcomes if isinstance(one, MailMiss)]
    figures = MailFigures(messages=len(outcomes), raised=len(misses))
    if readings:
        figures.median_ms = round(statistics.median(one.ms for one in readings), 3)
    for reading in readings:
        misses += [MailMiss(reading.row["file"], *miss) for miss in _scored(reading, figures)]
    figures.threads = _threads(readings)
    return figures, misses


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the manifest's lines that are mails. Raises `SettingsInvalid` naming a malformed line or a missing file."""
    folder = path.parent / "files"
    for number, row in rows_of(path):
        kind, where = str(row.get("kind") or ""), f"{path.name}, line {number}"
        if not isinstance(row.get("file"), str):
            raise SettingsInvalid((f'{where}: names no file: {{"file": "one.eml", …}}',))
        if not isinstance(row.get("expect") or {}, dict):
            raise SettingsInvalid((f"{where}: `expect` is no object",))
        if kind in NO_MAILS:
            continue
        if not (folder / row["file"]).is_file():
            raise SettingsInvalid((f"{where}: names {row['file']}, which is not in {folder}",))
        yield {**row, "kind": kind}


def _tried(row: Mapping[str, Any], folder: Path) -> EvaluatedMail | MailMiss:
    """Read a mail; whatever is raised is what this command counts."""
    raw = (folder / row["file"]).read_bytes()
    try:
        return _read(row, raw)
    except Exception as e:  # noqa: BLE001 - see above
        return MailMiss(row["file"], "raised", "a message", repr(e))


def _read(row: Mapping[str, Any], raw: bytes) -> EvaluatedMail:
    from cli.wiring.mail import message_of
    from triage.policy.sender.kind import kind_of

    began = time.process_time()
    message = message_of(raw)
    verdict = kind_of(message)
    return EvaluatedMail(row, raw, message, verdict, 1000 * (time.process_time() - began))


def _scored(reading: EvaluatedMail, figures: MailFigures) -> Iterator[tuple[str, Any, Any]]:
    """Count one reading; yield its misses as (what, expected, got)."""
    from cli.evaluate.text import lost_words

    lost = lost_words(reading.message, reading.raw)
    figures.text_lost += bool(lost)
    for part, words in lost.items():
        figures.text_lost_by_part[part] += 1
        yield f"text ({part})", " ".join(words[:20]), reading.message.text
    wrong = list(_wrong_headers(reading))
    if _header_names(reading.expect):
        figures.headers.count(right=not wrong)
    yield from wrong
    yield from _score_attachments(reading, figures.attachments)
    yield from _score_reply(reading, figures.reply)
    yield from _score_kind(reading, figures.kind)


# --- text and headers --------------------------------------------------------------------------


def _header_names(expect: Mapping[str, Any]) -> list[str]:
    return [
        name for name in expect if name in {"subject", "from_", "from_email", "message_id", "in_reply_to", "references"}
    ]


def _wrong_headers(reading: EvaluatedMail) -> Iterator[tuple[str, Any, Any]]:
    message, expect = reading.message, reading.expect
    sender = message.sender.address if message.sender else ""
    got = {
        "subject": _flat(message.subject),
        "from_email": sender,
        "from_": [sender] if sender else [],
        "to": [one.address for one in message.to],
        "message_id": message.message_id,
        "in_reply_to": next(iter(message.in_reply_to), None),
        "references": list(message.references),
    }
    for name in [*_header_names(expect), *(["to"] if isinstance(expect.get("to"), list) else [])]:
        want = _normal(name, expect[name])
        if want != got[name]:
            yield name, want, got[name]


def _normal(name: str, want: Any) -> Any:
    """Convert an expected value to the type of our answer."""
    match name:
        case "subject":
            return _flat(str(want or ""))
        case "from_email":
            return str(want or "").lower()
        case "from_" | "to":
            return [one.lower() for one in _strings(want)]
        case "references":
            return _strings(want)
    return want


def _strings(want: Any) -> list[str]:
    """Return the texts of a list; a single text becomes a list, other values drop out."""
    return [one for one in (want if isinstance(want, list) else [want]) if isinstance(one, str)]


def _flat(text: str) -> str:
    return " ".join(text.split())


# --- attachments, reply, kind ------------------------------------------------------------------


def _score_attachments(reading: EvaluatedMail, share: AnswerShare) -> Iterator[tuple[str, Any, Any]]:
    want = reading.expect.get("attachments")
    names = [str(one.name) for one in reading.message.attachments]
    if not isinstance(want, int):
        wanted = [one.get("filename") for one in want or [] if isinstance(one, dict)] if isinstance(want, list) else []
        want = [one for one in _strings(wanted) if one != MADE_BY_SOURCE]
        if not want:
            return  # in these manifests an empty list means that nobody checked
    right = want == (len(names) if isinstance(want, int) else names)
    share.count(right=right)
    if not right:
        yield "attachments", want, names


def _score_reply(reading: EvaluatedMail, replies: Replies) -> Iterator[tuple[str, Any, Any]]:
    expected = reading.expect.get("reply", reading.expect.get("reply_ignoring_whitespace"))
    wanted = _strings(expected)
    if not wanted:
        return
    got = str(reading.message.reply)
    right = _bare(got) in map(_bare, wanted)
    answers = not right and _bare(_without_questions(got)) in {_bare(_without_questions(want)) for want in wanted}
    replies.cases = (replies.cases or 0) + 1
    replies.exact = (replies.exact or 0) + right
    replies.but_quotes = (replies.but_quotes or 0) + answers
    replies.empty = (replies.empty or 0) + bool(all(map(_bare, wanted)) and not _bare(got))
    if not right:
        yield "reply (but for quotes)" if answers else "reply", expected, got


def _bare(text: str) -> str:
    return "".join(text.split())


def _without_questions(text: str) -> str:
    """Remove quoted lines, but not those at the end, which nobody answers."""
    lines = text.rstrip().split("\n")
    end = max((n + 1 for n, line in enumerate(lines) if not _QUOTED.match(line)), default=0)
    return "\n".join([line for line in lines[:end] if not _QUOTED.match(line)] + lines[end:])


def _score_kind(reading: EvaluatedMail, kinds: Kinds) -> Iterator[tuple[str, Any, Any]]:
    label, verdict = str(reading.row.get("kind", "")), reading.verdict
    if label in AUTOMATED:
        found = verdict.kind.value != "human" and not verdict.may_ticket
        kinds.automated = (kinds.automated or 0) + 1
        kinds.found = (kinds.found or 0) + found
        if not found:
            yield "kind", label, f"{verdict.kind.value} {verdict.evidence}"
    elif label.startswith(HUMAN) and (
        label.startswith("list-") or not MACHINE_SIGNALS & set(_strings(reading.row.get("signals")))
    ):
        # `ham` means that the mail is wanted, not that a person wrote it.
        alarm = not verdict.may_ticket if label == "ham" else verdict.kind.value not in {"human", "list"}
        kinds.human = (kinds.human or 0) + 1
        kinds.false_alarms = (kinds.false_alarms or 0) + alarm
        if alarm:
            yield "kind", label, f"{verdict.kind.value} {verdict.evidence}"


# --- threads -----------------------------------------------------------------------------------


def _threads(readings: Sequence[EvaluatedMail]) -> ThreadScore:
    """Compare groups of mails that share ids, directly or through others, with the manifest's threads."""
    known = [one for one in readings if isinstance(one.expect.get("thread"), str | int)]
    roots = _roots([(one.message.message_id, *one.message.thread) for one in known])
    pairs = [
        (roots[a] == roots[b], known[a].expect["thread"] == known[b].expect["thread"])
        for a, b in combinations(range(len(known)), 2)
    ]
    put, belong, both = (
        sum(one) for one in (zip(*((p, w, p and w) for p, w in pairs), strict=True) if pairs else ((), (), ()))
    )
    return ThreadScore(precision=both / put if put else None, recall=both / belong if belong else None)


def _roots(mails: Sequence[tuple[str | None, ...]]) -> list[str]:
    """Return each mail's group by union-find over its ids."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    groups = [[one for one in ids if one] or [f"alone-{number}"] for number, ids in enumerate(mails)]
    for ids in groups:
        for other in ids[1:]:
            parent[root(other)] = root(ids[0])
    return [root(ids[0]) for ids in groups]


def _short(value: Any) -> str:
    """Shorten a value to 400 characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 400 else f"{text[:200]} … {text[-200:]}"  # noqa: PLR2004 - a screen's worth
