"""Words what the hub answers: sentences of articles with their sources, and what tools have read, as Markdown."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from triage.domain.conversation import Json
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.markdown import literal

_WEB: Final = re.compile(r"https?://[^\s<>()\[\]]+")
KNOWN_TO_HIM: Final = frozenset({"id", "full_name", "name", "email", "is_blocked"})
MOST_LINES: Final = 12
"""Lines of looked-up data in one letter."""


def render_answer(answer: KnowledgeAnswer) -> str:
    """Return the sentences, each with the number of its source, and the list of sources; empty if there is no answer."""
    if not answer.sentences:
        return ""
    passages = {hit.passage.id: hit.passage for hit in answer.hits}
    numbers = {article: number for number, article in enumerate(answer.articles, 1)}
    sources = (f"{number}. {_source(article, passages)}" for article, number in numbers.items())
    return "\n\n".join((*_answered(answer.sentences, numbers), "\n".join(sources)))


def _answered(sentences: Sequence[CitedSentence], numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield a paragraph for each question, below it where the mail has several."""
    for question, group in groupby(sentences, lambda one: one.question):
        if question:
            yield f"**{literal(question)}**"
        yield " ".join(_cited(one.text, numbers.get(one.passage.partition("#")[0])) for one in group)


def _cited(text: str, number: int | None) -> str:
    return f"{literal(text)} [{number}]" if number else literal(text)


def _source(article: str, passages: Mapping[str, Passage]) -> str:
    found = next((one for one in passages.values() if one.article == article), None)
    if found is None:
        return literal(article)
    link = f": <{found.url}>" if _WEB.fullmatch(found.url) else ""
    return f"{literal(found.title)}{link}"


def render_data(read: Mapping[str, Json], asked: Sequence[str] = ()) -> str:
    """Return what tools have read as a list; nothing of it can be markup. What two tools say is told once, with the fuller values.

    Where words of `asked` name a record, such as `my subscription`, the others are left out.
    """
    records = [one for result in read.values() for one in _records(result)]
    named = [_named_by_part(one, records) for one in records if not _is_part(one, records)]
    wanted = frozenset(terms_in(" ".join(asked)))
    chosen = [one for one in named if wanted & frozenset(terms_in(one.name.replace("_", " ")))]
    lines = dict.fromkeys(line for one in chosen or named for line in _lines_of(one))
    return "\n".join(f"- {line}" for line in list(lines)[:MOST_LINES])


@dataclass(frozen=True, slots=True)
class _Record:
    """Values that belong together; those of a whole result have no name."""

    name: str
    values: tuple[tuple[str, str], ...]


def _records(value: Json, name: str = "") -> Iterator[_Record]:
    if isinstance(value, Mapping):
        plain = {key: one for key, one in value.items() if not isinstance(one, Mapping | list) and not _is_id(key)}
        yield _Record(name, tuple((_named(key), _value_text(one)) for key, one in plain.items()))
        for key, one in value.items():
            if isinstance(one, Mapping | list):
                yield from _records(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from (
                _records(one, name) if isinstance(one, Mapping) else (_Record("", ((_named(name), _value_text(one)),)),)
            )


def _is_part(record: _Record, records: Sequence[_Record]) -> bool:
    """Tell whether a whole result says all of this, and more."""
    return any(not one.name and set(record.values) < set(one.values) for one in records)


def _named_by_part(record: _Record, records: Sequence[_Record]) -> _Record:
    """Return a whole result under the name that another tool has for a part of it."""
    parts = (one.name for one in records if one.name and one.values and set(one.values) < set(record.values))
    return record if record.name else replace(record, name=next(parts, ""))


def _lines_of(record: _Record) -> Iterator[str]:
    if record.name and record.values:
        yield f"{_named(record.name)}: {'; '.join(f'{key} {value}' for key, value in record.values)}"
    if not record.name:
        yield from (f"{key}: {value}" for key, value in record.values)


def _is_id(key: str) -> bool:
    """Tell whether a value says nothing to its owner: ids, and who he is."""
    return key in KNOWN_TO_HIM or (key.endswith("_id") and key != "reservation_id")


def _named(key: str) -> str:
    return literal(key.replace("_", " "))


def _value_text(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return literal(str(value)) if value is not None else "-"
