"""Column types: UTC times, domain types as JSON, text that every database accepts."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

LONGEST_NAME: Final = 300
"""PostgreSQL refuses index rows above 2,704 bytes; two such names of four bytes a character fit."""
LONGEST_THREAD: Final = 100
"""Message-IDs of one mail that are used, nearest first."""


_HASHED: Final = re.compile(r"sha256:[0-9a-f]{64}")


class UtcDateTime(TypeDecorator[datetime]):
    """A time stored in UTC and read back aware. SQLite stores no zone, so UTC is added on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """The same moment in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class SafeText(TypeDecorator[str]):
    """Text that somebody else may have written."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Without characters that databases reject."""
        return None if value is None else storable(value)


class IndexedText(TypeDecorator[str]):
    """Indexed text; a long one is stored as its hash."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Short enough for every index."""
        return None if value is None else indexable(value)


class JsonDataclass(TypeDecorator[Any]):
    """A domain type as JSON text. Unknown keys, of a newer version, are ignored; missing ones take their default."""

    impl = Text
    cache_ok = True

    def __init__(self, noun: Any, of_today: Callable[[str], str] = str) -> None:
        self.noun = noun
        self.of_today = of_today
        """Upgrades the JSON of an older version."""
        super().__init__()

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        return None if value is None else dumped(_adapter(self.noun), value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        return None if value is None else loaded(_adapter(self.noun), self.of_today(value))


@cache
def _adapter(noun: Any) -> TypeAdapter[Any]:
    """One adapter for all engines, each of which copies the column's type. Made on first use: a listing decodes no JSON,
    and making all adapters takes a quarter of its time.
    """
    return TypeAdapter(noun)


def json_of(noun: Any, value: Any) -> str:
    """The value as a column of this type stores it."""
    return dumped(_adapter(noun), value)


def value_of(noun: Any, text: str) -> Any:
    """The value that a column of this type stored so."""
    return loaded(_adapter(noun), text)


def storable(text: str) -> str:
    """The text without NUL, which PostgreSQL refuses, and without lone surrogates, which no driver can encode."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def indexable(name: str) -> str:
    """The name, or its hash if it is too long for an index; idempotent."""
    return hashed(name) if len(name) > LONGEST_NAME else storable(name)


def hashed(name: str) -> str:
    """The name as its hash, as it stands in the rows of a person who is forgotten; idempotent."""
    if not name or _HASHED.fullmatch(name):
        return name
    return "sha256:" + hashlib.sha256(name.encode(errors="replace")).hexdigest()


def plain_and_hashed(names: Sequence[str]) -> list[str]:
    """The names in both forms, for queries that shall find mails of forgotten people, too."""
    return [*names, *(hashed(name) for name in names)]


def indexed_names(names: Sequence[str]) -> list[str]:
    """Message-IDs as stored, each once, the nearest `LONGEST_THREAD`."""
    return list(dict.fromkeys(indexable(name) for name in names[:LONGEST_THREAD]))


def dumped(adapter: TypeAdapter[Any], value: Any) -> str:
    try:
        return adapter.dump_json(value).decode()
    except PydanticSerializationError:  # a lone surrogate, or 255 nested lists: a model may write that
        return json.dumps(value, default=_plain, ensure_ascii=False).encode(errors="replace").decode()


def loaded(adapter: TypeAdapter[Any], text: str) -> Any:
    """The value that was dumped."""
    try:
        return adapter.validate_json(text)
    except ValidationError:  # pydantic reads 200 nested lists, the standard library more
        return adapter.validate_python(json.loads(text))


def _plain(value: Any) -> Any:
    """Dataclasses and times for the standard library's JSON."""
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return value.isoformat()
