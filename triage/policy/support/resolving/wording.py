"""Words what the hub answers: sentences of articles with their sources, and what tools have read, as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import Final

from triage.domain.conversation import Json
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.markdown import literal

_WEB: Final = re.compile(r"https?://[^\s<>()\[\]]+")
KNOWN_TO_HIM: Final = frozenset({"id", "full_name", "name", "email", "is_blocked"})
_ITEM: Final = re.compile(r"(?:-|\d{1,3}[.)]) ")
MOST_LINES: Final = 12
"""Lines of looked-up data in one letter."""


def render_answer(answer: KnowledgeAnswer) -> str:
    """Return the sentences, each with the number of its source, and the list of sources; empty if there is no answer."""
    if not answer.sentences:
        return ""
    numbers = {article: number for number, article in enumerate(answer.articles, 1)}
    sources = (f"[{number}] {_source(article, answer.hits)}" for article, number in numbers.items())
    return "\n\n".join((render_sentences(answer, numbers), "\\\n".join(sources)))


def render_sentences(answer: KnowledgeAnswer, numbers: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return the sentences, with the numbers that their articles have: below each question where the mail has several."""
    return "\n\n".join(_answered(answer, numbers))


def _answered(answer: KnowledgeAnswer, numbers: Mapping[str, int]) -> Iterator[str]:
    passages = {hit.passage.id: hit.passage for hit in answer.hits}
    for question, group in groupby(answer.sentences, lambda one: one.question):
        if question:
            yield f"**{literal(question)}**"
        yield from _blocks(group, numbers, passages)


def _blocks(
    sentences: Iterable[CitedSentence], numbers: Mapping[str, int], passages: Mapping[str, Passage]
) -> Sequence[str]:
    """Return paragraphs and lists; what follows a list in a line of its own is a paragraph again."""
    blocks: list[str] = []
    in_list = False
    for one in sentences:
        is_item = _ITEM.match(one.text) is not None
        text = _cited(one.text, numbers.get(one.passage.partition("#")[0]))
        if not blocks or (in_list != is_item and (is_item or _begins_line(one, passages))):
            blocks.append(text)
            in_list = is_item
        else:
            blocks[-1] += f"\n{text}" if is_item else f" {text}"
    return blocks


def _begins_line(sentence: CitedSentence, passages: Mapping[str, Passage]) -> bool:
    passage = passages.get(sentence.passage)
    return passage is not None and any(line.strip().startswith(sentence.text) for line in passage.text.split("\n"))


def _cited(text: str, number: int | None) -> str:
    """Return the sentence without markup of its own but the mark of an item, and with its source."""
    mark = found[0] if (found := _ITEM.match(text)) else ""
    shown = f"{mark}{literal(text.removeprefix(mark))}"
    return f"{shown} [{number}]" if number else shown


def _source(article: str, hits: Sequence[PassageHit]) -> str:
    found = next((hit.passage for hit in hits if hit.passage.article == article), None)
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
