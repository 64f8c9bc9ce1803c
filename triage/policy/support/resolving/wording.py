"""Words what the hub answers: sentences of articles with their sources, and what tools have read, as Markdown."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from triage.domain.conversation import Json
from triage.domain.support.articles import KnowledgeAnswer, Passage
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
    told = (_cited(one.text, numbers.get(one.passage.partition("#")[0])) for one in answer.sentences)
    sources = (f"{number}. {_source(article, passages)}" for article, number in numbers.items())
    return "\n\n".join((" ".join(told), "\n".join(sources)))


def _cited(text: str, number: int | None) -> str:
    return f"{literal(text)} [{number}]" if number else literal(text)


def _source(article: str, passages: Mapping[str, Passage]) -> str:
    found = next((one for one in passages.values() if one.article == article), None)
    if found is None:
        return literal(article)
    link = f": <{found.url}>" if _WEB.fullmatch(found.url) else ""
    return f"{literal(found.title)}{link}"


def render_data(read: Mapping[str, Json]) -> str:
    """Return what tools have read as a list; nothing of it can be markup."""
    lines = dict.fromkeys(line for result in read.values() for line in _lines(result))
    return "\n".join(f"- {line}" for line in list(lines)[:MOST_LINES])


def _lines(value: Json, name: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        plain = {key: one for key, one in value.items() if not isinstance(one, Mapping | list) and not _is_id(key)}
        if plain and name:
            yield f"{_named(name)}: {'; '.join(f'{_named(key)} {_value_text(one)}' for key, one in plain.items())}"
        elif plain:
            yield from (f"{_named(key)}: {_value_text(one)}" for key, one in plain.items())
        for key, one in value.items():
            if isinstance(one, Mapping | list):
                yield from _lines(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from _lines(one, name) if isinstance(one, Mapping) else (f"{_named(name)}: {_value_text(one)}",)


def _is_id(key: str) -> bool:
    """Tell whether a value says nothing to its owner: ids, and who he is."""
    return key in KNOWN_TO_HIM or (key.endswith("_id") and key != "reservation_id")


def _named(key: str) -> str:
    return literal(key.replace("_", " "))


def _value_text(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return literal(str(value)) if value is not None else "-"
