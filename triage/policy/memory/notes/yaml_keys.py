"""Reads the YAML keys of a note's front matter with their lines, so that a rewrite replaces those alone that changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import yaml

DEEPEST: Final = 12
"""Levels of a value; deeper ones are no front matter, and parsers of YAML recurse."""
LARGEST: Final = 64 * 1024
"""Characters of a front matter."""
Events = Iterator[yaml.Event]


class BrokenError(Exception):
    """A front matter that cannot be read: the line within it, from 0, and what is wrong."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line, self.what = line, what


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One top-level key: its value as far as notes need it, and its lines within the front matter, from 0."""

    name: str
    values: tuple[str, ...]
    """A scalar's text, or the texts of a list; empty for nothing."""
    listed: bool
    """It is a list."""
    plain: bool
    """Its value is text or a list of texts; else `values` says nothing."""
    line: int
    last: int
    """Line of the end of its last value, from 0."""
    block: bool = False
    """A list with an item a line, to which lines can be added."""
    indent: int = 0
    """Blanks before its items."""


def keys_of(text: str) -> tuple[Key, ...]:
    """Return the keys of a front matter in order. Raises `BrokenError`."""
    if len(text) > LARGEST:
        raise BrokenError(0, f"the front matter is larger than {LARGEST // 1024} KB")
    try:
        found = tuple(_keys(yaml.parse(text, yaml.CSafeLoader)))
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        raise BrokenError(mark.line if mark else 0, f"the front matter is no YAML: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise BrokenError(0, f"the front matter is no YAML: {' '.join(str(e).split())}") from None
    seen: set[str] = set()
    for key in found:
        if key.name in seen:
            raise BrokenError(key.line, f"{key.name} stands there twice")
        seen.add(key.name)
    return found


def _keys(events: Events) -> Iterator[Key]:
    """Yield the keys of the one mapping that a front matter is."""
    for event in events:
        if isinstance(event, yaml.MappingStartEvent):
            if event.flow_style:
                raise BrokenError(_start(event)[0], "the front matter must be `key: value` lines")
            yield from _pairs(events)
        elif isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.AliasEvent):
            raise BrokenError(_start(event)[0], "the front matter must be `key: value` lines")


def _pairs(events: Events) -> Iterator[Key]:
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise BrokenError(_start(event)[0], "a key must be one word")
        yield _key(event, next(events), events)


def _key(name: yaml.ScalarEvent, first: yaml.Event, events: Events) -> Key:
    line = _start(name)[0]
    if isinstance(first, yaml.ScalarEvent):
        nothing = first.value in {"", "~", "null"} and first.implicit[0]
        last = _end(first)
        return Key(
            name=name.value, values=() if nothing else (first.value,), listed=False, plain=True, line=line, last=last
        )
    if isinstance(first, yaml.SequenceStartEvent):
        return _list(name, first, events)
    last = max(_end(event) for event in _skipped(first, events))
    return Key(name=name.value, values=(), listed=False, plain=isinstance(first, yaml.AliasEvent), line=line, last=last)


def _list(name: yaml.ScalarEvent, first: yaml.SequenceStartEvent, events: Events) -> Key:
    """Read a list; `[[note]]` without quotes is a list in a list, and means the link."""
    items, plain, last = [], True, _start(first)[0]
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        inner = list(_skipped(event, events))
        scalars = [each for each in inner if isinstance(each, yaml.ScalarEvent)]
        plain = plain and len(scalars) == 1 and not any(isinstance(each, yaml.MappingStartEvent) for each in inner)
        items += [each.value for each in scalars]
        last = max(last, *(_end(each) for each in inner if not isinstance(each, yaml.SequenceEndEvent)))
    block = not first.flow_style
    return Key(
        name=name.value,
        values=tuple(items),
        listed=True,
        plain=plain,
        line=_start(name)[0],
        last=last if block else max(last, _end(event)),
        block=block,
        indent=_start(first)[1] if block else 0,
    )


def _skipped(first: yaml.Event, events: Events) -> Iterator[yaml.Event]:
    """Yield all events of one value. Raises `BrokenError` where it is too deep."""
    depth, event = 0, first
    while True:
        yield event
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise BrokenError(_start(event)[0], f"values have at most {DEEPEST} levels")
        if depth == 0:
            return
        event = next(events)


def _start(event: yaml.Event) -> tuple[int, int]:
    return (event.start_mark.line, event.start_mark.column) if event.start_mark else (0, 0)


def _end(event: yaml.Event) -> int:
    """Return the last line of a value; a block of text ends at the beginning of the line after it."""
    line, column = (event.end_mark.line, event.end_mark.column) if event.end_mark else (0, 0)
    return line - 1 if column == 0 and line > _start(event)[0] else line
