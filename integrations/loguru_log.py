"""Log sink: one line per event with its fields; secrets and addresses are redacted."""

import json
import logging
import math
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TextIO
from unicodedata import category
from urllib.parse import unquote, urlsplit

from loguru import logger

from triage.domain.conversation import Json
from triage.domain.text.truncation import truncated

if TYPE_CHECKING:
    from loguru import Message, Record

_LONGEST: Final = 2_000
"""Characters of one field; of a traceback the last 4 times as many are kept, since its end matters most."""
_MOST: Final = 50
"""Members of a list or mapping field, and lines of a traceback."""
_SHORTEST_SECRET: Final = 4
"""Characters; masking shorter secrets would reveal more by the gaps than it hides."""
_QUIET: Final = ("alembic", "httpx2", "httpcore2", "openai", "anthropic", "mcp")
"""Libraries that log a line per request or start."""

_ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b."
)
"""Whole terminal sequences (colours, titles, links); removing only ESC would leave the rest as text."""
_INVISIBLE: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that disguise a line: controls, bidi and zero-width marks, tags, lone surrogates."""
_BREAKS: Final = "\n\r\t"
_ADDRESS: Final = re.compile(r"([\w!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]{0,63}@([\w-]+(?:\.[\w-]+)+)")
_PLAIN: Final = re.compile(r"[^\s\"'=\\]+")
_RESERVED: Final = {"time", "level", "event", "exception"}

Clean = Callable[[str], str]


def configure(
    level: str = "INFO", *, as_json: bool = False, sink: TextIO | None = None, secrets: Iterable[str] = ()
) -> None:
    """Send all logs of this process, libraries included, to `sink` (default stderr), with these secrets masked.

    Log as `logger.info("case.done", subject=text)`: the event is a constant and never contains text that somebody else
    wrote, since loguru expands `{…}` in it.
    """
    clean = partial(cleaned, secrets=_with_passwords(secrets))
    line = _json_line if as_json else _text_line
    stream = sink or sys.stderr

    def write(message: "Message") -> None:
        try:
            stream.write(line(message.record, clean) + "\n")
            stream.flush()
        except (OSError, ValueError):
            return  # a full disk or a closed pipe: no place is left to report it

    logger.remove()
    # The format is empty because loguru would expand braces in it; `write` makes the line.
    logger.add(write, level=level, format=lambda _: "", diagnose=False, backtrace=False)
    # Never DEBUG for libraries: it shows the content of their requests.
    logging.basicConfig(handlers=[_Library()], level=max(logging.INFO, logger.level(level).no), force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def cleaned(text: str, secrets: Iterable[str] = (), longest: int = _LONGEST) -> str:
    """One harmless line: secrets masked, terminal sequences and invisible characters removed, addresses shortened."""
    for secret in secrets:
        text = text.replace(secret, "***")
    # Cut before the patterns run, which bounds their work, with room for what they remove.
    text = _ESCAPES.sub("", text[: 4 * longest])
    if not text.isprintable():
        text = "".join(" " if c in _BREAKS else c for c in text if c in _BREAKS or category(c) not in _INVISIBLE)
    text = _ADDRESS.sub(r"\1…@\2", text)
    return truncated(text, longest)


class _Library(logging.Handler):
    """Takes logs of the standard library's `logging`: the event is the logger's name, the message is a field."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass the record to loguru without formatting its message, which we did not write."""
        try:
            words = record.getMessage()
        except (TypeError, ValueError):
            words = str(record.msg)
        bound = logger.bind(message=words).opt(exception=record.exc_info)
        bound.log(record.levelname if record.levelname in _LEVELS else record.levelno, record.name)


_LEVELS: Final = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}


def _json_line(record: "Record", clean: Clean) -> str:
    return json.dumps(_facts(record, clean), ensure_ascii=False)


def _text_line(record: "Record", clean: Clean) -> str:
    """`time LEVEL event field=value …`, and a traceback indented below."""
    facts = _facts(record, clean)
    time, level, event, trace = (facts.pop(name, "") for name in ("time", "level", "event", "exception"))
    fields = "".join(f" {name}={_quoted(value)}" for name, value in facts.items())
    return f"{time} {level:<7} {_quoted(event)}{fields}" + "".join(
        f"\n    {line}" for line in trace.split("\n") if line
    )


def _quoted(value: Json) -> str:
    """The value, as JSON if it could be read as more than one word."""
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _facts(record: "Record", clean: Clean) -> dict[str, Json]:
    """The fields of one event, cleaned."""
    facts: dict[str, Json] = {
        "time": record["time"].astimezone(UTC).isoformat(timespec="milliseconds"),
        "level": record["level"].name,
        "event": clean(record["message"]),
    }
    for name, value in record["extra"].items():
        facts[f"{name}_" if name in _RESERVED else name] = _value(value, clean)
    if record["exception"] is not None:
        facts["exception"] = _traceback(*record["exception"], clean=clean)
    return facts


def _value(value: Any, clean: Clean) -> Json:
    """Numbers unchanged, lists and mappings of values, all else as clean text."""
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {clean(str(name)): _value(inner, clean) for name, inner in islice(value.items(), _MOST)}
    if isinstance(value, list | tuple | set | frozenset):
        return [_value(inner, clean) for inner in islice(value, _MOST)]
    return clean(str(value))


def _traceback(kind: type[BaseException] | None, e: BaseException | None, trace: Any, *, clean: Clean) -> str:
    """The traceback as Python prints it, without values of variables; each line cleaned, only the last ones kept."""
    lines = [line for part in traceback.format_exception(kind, e, trace) for line in part.rstrip("\n").split("\n")]
    return "\n".join(clean(line) for line in lines[-_MOST:])[-4 * _LONGEST :]


def _with_passwords(secrets: Iterable[str]) -> tuple[str, ...]:
    """The secrets and the passwords in secret URLs; longest first, so that masking one does not split another."""
    found = set(secrets)
    for secret in tuple(found):
        try:
            password = urlsplit(secret).password if "://" in secret else None
        except ValueError:
            continue
        found |= {password, unquote(password)} if password else set()
    return tuple(sorted((s for s in found if len(s) >= _SHORTEST_SECRET), key=len, reverse=True))
