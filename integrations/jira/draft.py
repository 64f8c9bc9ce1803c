"""A draft on its way to becoming a ticket: the body of the POST, and what to leave out when Jira refuses it."""

from dataclasses import dataclass, replace
from typing import Final

from integrations.jira.shapes import Site
from integrations.jira.text import TEXT_LIMIT, clean, one_line
from triage.domain.conversation import Json
from triage.domain.tickets import Mark, TicketDraft

PROPERTY: Final = "triage"
"""The entity property that tells a ticket or comment of ours from all others."""

_OUR_NAMES: Final = {"duedate": "due_date"}
_EMPTY: Final[dict[str, Json]] = {
    "assignee": None,
    "priority": None,
    "components": (),
    "labels": (),
    "due_date": None,
    "description": "",
}
_ORDER: Final = ("assignee", "priority", "components", "labels", "due_date", "property")
"""What is tried without, one after the other, when Jira does not say what it minds; the marker stays."""

_LABEL_LIMIT: Final = 255
SHORT_LIMIT: Final = TEXT_LIMIT // 4
"""Jira's own limit can be set lower, and nobody says whether it counts a document's text or its JSON."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The draft as it is sent this time."""

    draft: TicketDraft
    mark: Mark
    label: bool = True
    property: bool = True
    limit: int = TEXT_LIMIT
    dropped: tuple[str, ...] = ()

    def body(self, site: Site, project: str) -> Json:
        """What is POSTed: reporter and security level are nobody's to choose here."""
        draft = self.draft
        labels = [label for label in map(_label, draft.labels) if label] + ([self.mark.label] if self.label else [])
        fields: dict[str, Json] = {
            "project": {"key": project},
            "issuetype": {"name": draft.issue_type},
            "summary": one_line(draft.summary),
            "description": site.text(draft.description, self.limit) if draft.description else None,
            "priority": {"name": draft.priority} if draft.priority else None,
            "assignee": site.user(draft.assignee) if draft.assignee else None,
            "labels": list(dict.fromkeys(labels)),
            "components": [{"name": name} for name in draft.components],
            "duedate": draft.due_date.isoformat() if draft.due_date else None,
        }
        body: dict[str, Json] = {"fields": {name: value for name, value in fields.items() if value}}
        if self.property:
            body["properties"] = [{"key": PROPERTY, "value": property_value(self.mark)}]
        return body

    def without(self, problems: dict[str, str]) -> "Attempt | None":
        """The next, plainer attempt; None where nothing that could be left out would help."""
        named = [_OUR_NAMES.get(name, name) for name in problems if name != "jira"]
        if named:
            names = [self._step(name) for name in named]
            return self._minus(*names) if self._held().issuperset(names) else None
        told = problems.get("jira", "").lower()
        if "propert" in told and self.property:
            return self._minus("property")
        if ("too long" in told or "limit" in told) and self.draft.description and self.limit > SHORT_LIMIT:
            return self._minus("description")
        next_one = next((name for name in _ORDER if name in self._held()), None)
        return self._minus(next_one) if next_one else None

    def _step(self, name: str) -> str:
        """Labels go in two steps: the draft's own ones, then our marker."""
        return "marker" if name == "labels" and not self.draft.labels else name

    def _held(self) -> set[str]:
        """What is sent and could be left out."""
        held = {name for name, empty in _EMPTY.items() if getattr(self.draft, name) != empty}
        return held | ({"marker"} if self.label else set()) | ({"property"} if self.property else set())

    def _minus(self, *names: str) -> "Attempt":
        attempt = replace(self, dropped=tuple(dict.fromkeys((*self.dropped, *names))))
        for name in names:
            attempt = attempt._less(name)  # noqa: SLF001 - another attempt of our own
        return attempt

    def _less(self, name: str) -> "Attempt":
        if name in {"marker", "property"}:
            return replace(self, label=self.label and name != "marker", property=self.property and name != "property")
        if name == "description" and self.limit > SHORT_LIMIT:
            return replace(self, limit=SHORT_LIMIT)
        return replace(self, draft=replace(self.draft, **{name: _EMPTY[name]}))


def property_value(mark: Mark) -> Json:
    """What our property says; readable by whoever sees the ticket, so no word of the mail is in it."""
    return {"label": mark.label, "case": mark.case, "message": mark.message_hash}


def _label(text: str) -> str:
    """A label holds no blanks."""
    return "-".join(clean(text).split())[:_LABEL_LIMIT]
