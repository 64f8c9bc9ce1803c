"""`triage parse`: prints what Triage reads in a mail, and writes nothing."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_json, progress, screen
from triage.domain.errors import NotAMail

if TYPE_CHECKING:
    from triage.domain.mail import Hop, KindVerdict, Message

PATIENCE = 1.0
"""Seconds before a progress bar appears."""

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Raw mails; - reads one from standard input, a folder is walked.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per mail and line, for machines.")]


def parse(files: Files, as_json: AsJson = False) -> None:
    """Show how mails are read: sender, text, history, files, kind.

    Exit codes: 0 all were read; 1 at least one could not be (its line says `"ok": false` and why).
    """
    sound = True
    for reading in _with_progress(list(_names(files))):
        sound = sound and reading["ok"]
        if as_json:
            print_json(reading, indent=None)
        else:
            _show(reading)
    raise typer.Exit(0 if sound else 1)


def reading_of(name: str) -> dict[str, Any]:
    """Return the JSON object of one file; errors are in it."""
    from cli.wiring.mail import message_of
    from triage.domain.mail import Message
    from triage.policy.sender.kind import kind_of

    shown = os.fsencode(name).decode("utf-8", "replace")
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        message = message_of(raw)
    except OSError as e:
        return {"file": shown, "ok": False, "error": f"cannot be read: {e.strerror}", **fields_of(Message(), None)}
    except NotAMail as e:
        return {"file": shown, "ok": False, "error": f"not an e-mail: {e.detail}", **fields_of(Message(), None)}
    return {"file": shown, "ok": True, **fields_of(message, kind_of(message))}


def fields_of(message: "Message", kind: "KindVerdict | None") -> dict[str, Any]:
    """Return a message as JSON; the keys are always the same."""
    return {
        **_header_fields(message),
        "text": message.text,
        "reply": message.reply,
        "quoted": message.quoted,
        "attachments": [
            {"name": one.name, "content_type": one.content_type, "size": one.size, "inline": one.inline}
            for one in message.attachments
        ],
        "hops": [_hop_fields(hop) for hop in message.hops],
        **_kind_fields(kind),
        "hidden_text": message.hidden_text,
        "size": message.size,
    }


def _header_fields(message: "Message") -> dict[str, Any]:
    return {
        "flags": list(message.flags),
        "message_id": message.message_id,
        "in_reply_to": next(iter(message.in_reply_to), None),
        "references": list(message.references),
        "subject": message.subject,
        "from": str(message.sender) if message.sender else None,
        "to": [str(one) for one in message.to],
        "cc": [str(one) for one in message.cc],
        "reply_to": [str(one) for one in message.reply_to],
        "date": message.date.isoformat() if message.date else None,
    }


def _hop_fields(hop: "Hop") -> dict[str, Any]:
    return {
        "from": hop.sender,
        "by": hop.by,
        "with": hop.protocol,
        "at": hop.at.isoformat() if hop.at else None,
        "delay": hop.delay,
        "defect": hop.defect or None,
    }


def _kind_fields(kind: "KindVerdict | None") -> dict[str, Any]:
    return {
        "kind": kind.kind.value if kind else None,
        "kind_evidence": list(kind.evidence) if kind else [],
        "may_ticket": kind is not None and kind.may_ticket,
        "may_answer": kind is not None and kind.may_answer,
    }


def _names(files: list[str]) -> Iterator[str]:
    """Yield the files; those of a folder sorted by path."""
    for name in files:
        if name != "-" and Path(name).is_dir():
            yield from sorted(str(path) for path in Path(name).rglob("*") if path.is_file())
        else:
            yield name


def _with_progress(names: list[str]) -> Iterator[dict[str, Any]]:
    """Yield each file's JSON object; show a progress bar if it takes a while and the output is not the terminal."""
    bar, began = progress(), time.monotonic()
    task = bar.add_task("mails", total=len(names))
    try:
        for name in names:
            yield reading_of(name)
            if not sys.stdout.isatty() and time.monotonic() - began > PATIENCE:
                bar.start()
            bar.advance(task)
    finally:
        bar.stop()


def _show(reading: dict[str, Any]) -> None:
    """Print one mail: headers, verdict, text, then the quoted history."""
    from rich.rule import Rule

    out = screen()
    out.print(Rule(reading["file"], align="left"))
    if not reading["ok"]:
        out.print(reading["error"], style="red")
        return
    for label, value in _head(reading):
        out.print(f"{label:<12}{value}", soft_wrap=True)
    out.print()
    out.print(reading["reply"] or "(no text)", soft_wrap=True)
    if reading["quoted"] and reading["quoted"] != reading["reply"]:
        out.print(f"\n{reading['quoted']}", style="dim", soft_wrap=True)
    out.print()


def _head(reading: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the header lines, without empty ones."""
    rows = {
        "From": reading["from"],
        "To": ", ".join(reading["to"]),
        "Cc": ", ".join(reading["cc"]),
        "Date": reading["date"],
        "Subject": reading["subject"],
        "Message-ID": reading["message_id"],
        "Way": " <- ".join(map(_hop, reading["hops"])),
        "Kind": f"{reading['kind']} ({'; '.join(reading['kind_evidence']) or 'nothing says otherwise'})",
        "Attached": ", ".join(f"{one['name']} ({one['size']} bytes)" for one in reading["attachments"]),
        "Flags": ", ".join(reading["flags"]),
    }
    yield from ((label, value) for label, value in rows.items() if value)


def _hop(hop: dict[str, Any]) -> str:
    """Return a hop's server and its delay after the previous one."""
    return f"{hop['by'] or hop['from'] or hop['defect'] or '?'}" + (f" ({hop['delay']:+.0f} s)" if hop["delay"] else "")
