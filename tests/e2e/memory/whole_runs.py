"""A whole run over eleven mails with two builds of the memory, and what is compared of two such runs."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cli.demo.prompt_reader import PromptReader
from cli.wiring.app import App
from cli.wiring.memory.ask import ask_of
from cli.wiring.memory.build import builds_of
from cli.wiring.memory.notes import notes_of
from tests.e2e.installation import MAILS as FOLDER
from tests.e2e.opened import house, take
from tests.servers.sandbox import RunningJira
from triage.domain.conversation import Messages, Role, ToolCall, ToolSpec, Turn, Usage
from triage.domain.memory.builds import BuildKind, BuildStage
from triage.domain.memory.graph import Graph
from triage.domain.memory.notes import Note
from triage.domain.operations.tokens import AccessScope
from triage.domain.reports import Report
from triage.policy.memory.front_matter import text_of
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served


def mail_of(sender: str, subject: str, text: str, day: str = "Fri, 20 Nov 2026", number: int = 0) -> bytes:
    """Return a mail as it comes from outside."""
    name = f"{number}.{len(text)}"
    head = f"From: {sender}\nTo: support@harbourline.example\nSubject: {subject}\nDate: {day} 09:00:00 +0000\n"
    return f"{head}Message-ID: <{name}@poison.example>\nContent-Type: text/plain; charset=utf-8\n\n{text}\n".encode()


MAILS: Final = (
    "01-barcode-cut-off.eml",
    "04-signature-upload.eml",
    "05-signature-upload-detail.eml",
    "08-german-cancellation.eml",
    "09-queue-alarm-fixed.eml",
    "promise.eml",
    "13-signature-upload-answer.eml",
    "26-signature-upload-works.eml",
    "34-two-matters.eml",
    "request.eml",
    "42-protocol-until-friday.eml",
)
WRITTEN: Final = {
    "promise.eml": mail_of(
        "Lotte Brandl <lotte@spedition-brandl.example>",
        "Scale of dock 4",
        "Hello,\n\nI will send you the calibration report of the scale by Friday.\n\nThe scale of dock 4 shows 0.0 kg for every parcel since noon.",
    ),
    "request.eml": mail_of(
        "Barry Holt <barry@holt-freight.example>",
        "Roles of our depot",
        "Hello,\n\nplease send us the list of roles by Thursday. The page of roles shows an error since today.\n\nWe have decided to use two depots from January.",
    ),
}
"""Mails with a promise, a request and a decision."""
BEFORE: Final = 5
"""Mails that come before the poison; the others come after it, and after the build that has read it."""
QUESTION: Final = "What was decided, and what has to be done by Friday?"
ORDER: Final = re.compile(r"ORDER (\w+) (\{.*?\})(?:\\n|\n|$)")
"""How a poison orders a call of a tool."""
NOTED: Final = re.compile(r"NOTE (\{.*?\})(?:\\n|\n|$)")
"""How it dictates a note."""
CASE: Final = re.compile(r'"case": ?"(case-\d+)"')


class Obedient(PromptReader):
    """A model that follows each order that it reads anywhere, and else does its work: what code must withstand."""

    name = "obedient"

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Call what it was told to call, once; note what it was told to note."""
        text = "\n".join(one.text for one in conversation if one.role is not Role.ASSISTANT)
        done = sum(len(one.calls) for one in conversation if one.role is Role.ASSISTANT)
        orders = list(dict.fromkeys(ORDER.findall(text)))
        if orders[done:]:
            tool, arguments = orders[done]
            return _turn(calls=(ToolCall(id=f"call_{done}", name=tool, arguments=arguments),))
        if "Email Reader" in conversation[0].text:
            return _turn(json.dumps(list(_observations(conversation[1].text))))
        return await super().complete(conversation, tools, max_tokens)


def _turn(text: str = "", calls: tuple[ToolCall, ...] = ()) -> Turn:
    return Turn(text=text, calls=calls, usage=Usage(input_tokens=1, output_tokens=1))


def _observations(shown: str) -> Any:
    """Yield what each mail dictates, and of each one insight of its own."""
    for part in re.split(r"(?=\{\"case\":)", shown)[1:]:
        case, words = CASE.search(part), re.search(r"Subject: (.*)\n\n\W*([^\n]+)", part)
        if case is None or words is None:
            continue
        mine = {"source_emails": [case[1]], "quote": words[2].strip()}
        for dictated in NOTED.findall(part):
            yield {**mine, **json.loads(dictated)}
        yield {"kind": "insights", "title": f"{words[1].strip()[:80]}", "text": words[2].strip(), **mine}


def _read(name: str) -> bytes:
    return WRITTEN.get(name) or (FOLDER / name).read_bytes()


@dataclass(frozen=True)
class Poison:
    """What is put between the mails, and how it is got rid of."""

    mails: Sequence[bytes] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Notes that somebody writes by hand, by path in the vault."""
    source: str = ""
    """What is given to `triage memory forget`."""
    notes: tuple[int, int] = (0, 0)
    """How many it leaves in the vault, by rules and with the obedient model."""


@dataclass
class WholeRun:
    """What became of the eleven mails, and of the memory."""

    mails: dict[str, str] = field(default_factory=dict)
    """By file: all that was decided, written, asked and told about it, without numbers that another mail moves."""
    poison: list[Report] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """The vault after both builds."""
    kept: list[str] = field(default_factory=list)
    """The vault after the poison was removed."""
    graph: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    """What searches find after that."""
    files: str = ""
    """All bytes below the vault, without its trash, after that."""
    removed: int = 0
    approvals: int = 0
    """Open ones, without those of the poison."""


async def whole_run(jira: RunningJira, folder: Path, poison: Poison | None, *, obedient: bool) -> WholeRun:
    """Run all of it in a fresh installation with default settings and ENABLE_MEMORY."""
    jira.reset()
    (vault := folder / "memory").mkdir(parents=True)
    run, names = WholeRun(), dict[str, str]()
    with Served(openai_app(Obedient())) if obedient else nullcontext() as served:
        model: Any = {"OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_API_KEY": "x"} if served else {}
        async with house(jira, folder, ENABLE_MEMORY="true", MEMORY_DIR=str(vault), **model) as app:
            for name in MAILS[:BEFORE]:
                run.mails[name] = await _own(app, jira, name, names)
            for raw in poison.mails if poison else ():
                run.poison.append(await take(app, "poison.eml", raw))
            for path, text in poison.files.items() if poison else ():
                (vault / path).parent.mkdir(exist_ok=True)
                (vault / path).write_text(text, encoding="utf-8")
            await _built(app)
            for name in MAILS[BEFORE:]:
                run.mails[name] = await _own(app, jira, name, names)
            await _built(app)
            await _remembered(app, run, names, poison)
            run.approvals = len(await app.store.archive.approvals()) - sum(len(one.approvals) for one in run.poison)
    run.files = "".join(
        path.read_text(encoding="utf-8")
        for path in vault.rglob("*.md")
        if not any(part.startswith(".") for part in path.relative_to(vault).parts)
    )
    return run


async def _own(app: App, jira: RunningJira, name: str, names: dict[str, str]) -> str:
    """Take one of the fifteen, and return what became of it."""
    asked = len(jira.requests())
    report = await take(app, name, _read(name))
    names[report.case.id] = f"case of {name}"
    for effect in report.effects:
        if effect.kind == "create" and effect.result:
            names[effect.result] = f"ticket {sum(told.startswith('ticket') for told in names.values())}"
    writes = [one for one in jira.requests()[asked:] if one.method != "GET" and "search" not in one.path]
    told = [f"{one.method} {one.path} {one.body!r}" for one in writes]
    return _told(_facts(report), names) + "\n".join(_told(one, names) for one in told)


def _facts(report: Report) -> Mapping[str, Any]:
    """Return routes, verdicts, budgets, effects, approvals and letters of a case."""
    case, result = report.case, report.case.result
    return {
        "route": case.route,
        "rights": (case.identity.trust, case.identity.kind, case.flags, case.classification.disposition),
        "end": (case.outcome, case.ticket, case.reason, report.trouble, report.flood),
        "calls": [(one.tool, one.arguments) for one in result.tool_calls] if result else (),
        # Not the input: it has the tickets that are shown, and there is one more, or its rank has moved by seconds.
        "budget": (result.iterations, result.usage.output_tokens, len(report.turns)) if result else (),
        "effects": [
            (one.kind, one.target, one.state, one.result if "-" in one.result else "", one.posts)
            for one in report.effects
        ],
        "approvals": [replace(one, id=0, parked_at=None, expires_at=None) for one in report.approvals],
        "letters": [(one.kind, one.to, one.subject, one.body) for one in report.letters],
    }


def _told(facts: object, names: Mapping[str, str]) -> str:
    """Return facts without numbers, hashes and times that any other mail moves."""
    text = re.sub(r"(?<![\w-])(?:case-\d+|[A-Z]+-\d+)(?!\w)", lambda at: names.get(at[0], at[0]), f"{facts}\n")
    text = re.sub(r"datetime\.datetime\([^)]*\)+|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)?", "(time)", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "(time)", text)
    return re.sub(r"\b[0-9a-f]{8,64}\b|triage-[\w-]+", "(mark)", text)


def likeness_aside(told: str, jira: RunningJira) -> str:
    """Return what became of a mail without shares of likeness: they are relative to all tickets, of which there is one more.

    So a guess at a component that nothing follows from may be another one, too, or one of two.
    """
    names = "|".join(re.escape(row["name"]) for row in jira.app.site.db.all("SELECT name FROM component"))
    guess = rf"(?:{names}) \(\d+ ?%\)"
    text = re.sub(rf"not sure: {guess}(?:, {guess})*", "not sure: (components)", told)
    text = re.sub(r"not sure: [^(\"]* \(", "not sure: (person) (", text)
    return re.sub(r"\d+ ?%", "(share)", re.sub(r"nearest are [^\"]*", "nearest are", text))


async def _built(app: App) -> None:
    """Build the memory, and ask it a question, as a person does."""
    async with AsyncExitStack() as later:
        builds = builds_of(app.settings, app.store, app.live, app.context.failpoint, later)
        done = await builds.run(BuildKind.BUILD, "test")
        assert done.stage is BuildStage.COMPLETE, done
        asking = ask_of(app.settings, app.store, app.live, app.index, notes_of(app.settings), later)
        await asking.ask(QUESTION, AccessScope.ADMIN, "test")


async def _remembered(app: App, run: WholeRun, names: Mapping[str, str], poison: Poison | None) -> None:
    notes = notes_of(app.settings)
    run.notes = _lines(await notes.list(), names)
    if poison:
        gone = await notes.forget_source(poison.source, "ada")
        run.removed = len(gone.removed)
    run.kept = _lines(await notes.list(), names)
    run.graph = _edges(await notes.graph(), names)
    for words in ("label", "signature upload", "automatically", "approved standing order"):
        run.found += [f"{words}: {_told(hit.note.id, names)}" for hit in await notes.search(words, 50)]


def _lines(notes: Sequence[Note], names: Mapping[str, str]) -> list[str]:
    """Return the notes as their files are, without the changelog, which tells that a source was forgotten."""
    return sorted(_told(text_of(replace(note, changes=(), updated=None)), names) for note in notes)


def _edges(graph: Graph, names: Mapping[str, str]) -> list[str]:
    return sorted(_told(f"{one.source} {one.relation} {one.target}", names) for one in graph.edges)
