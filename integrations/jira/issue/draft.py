"""Builds the body of the create request, and the order in which refused fields are dropped."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from integrations.jira.issue.screen import EPIC_LINK, SPRINT, Screen
from integrations.jira.issue.shapes import Site
from integrations.jira.markup.text import TEXT_LIMIT, one_line
from triage.domain.conversation import Json
from triage.domain.tickets import Mark, TicketDraft, is_mark
from triage.domain.visible import visible

PROPERTY: Final = "triage"
"""The entity property that tells a ticket or comment of ours from all others."""

EMPTY: Final[dict[str, Json]] = {
    "assignee": None,
    "priority": None,
    "components": (),
    "labels": (),
    "due_date": None,
    "sprint": None,
    "parent": None,
    "description": "",
}
"""What a draft may do without."""
_ORDER: Final = ("assignee", "priority", "components", "labels", "due_date", "sprint", "parent", "property")
"""What is tried without, one after the other, when Jira does not say what it minds; the marker stays."""

_LABEL_LIMIT: Final = 255
SHORT_LIMIT: Final = TEXT_LIMIT // 4
"""Jira's own limit can be set lower, and nobody says whether it counts a document's text or its JSON."""

_UNKNOWN: Final = Screen(type_id="", type_name="")


@dataclass(frozen=True, slots=True)
class Attempt:
    """The draft as it is sent this time."""

    draft: TicketDraft
    mark: Mark
    screen: Screen = _UNKNOWN
    """The form it was fitted to."""
    more: Mapping[str, Json] = field(default_factory=dict)
    """Values of our settings, by the field's id."""
    label: bool = True
    line: bool = False
    """The mark stands in the description's last line, where it can be no label."""
    described: bool = True
    """There can be a description."""
    property: bool = True
    limit: int = TEXT_LIMIT
    dropped: tuple[str, ...] = ()

    def body(self, site: Site, project: str) -> Json:
        """What is POSTed: reporter and security level are nobody's to choose here."""
        kind = {"id": self.screen.type_id} if self.screen.type_id else {"name": self.draft.issue_type}
        fields = {"project": {"key": project}, "issuetype": kind, **self.fields(site)}
        return {"fields": fields, **self.properties()}

    def properties(self) -> dict[str, Json]:
        """The mark as nobody can see it."""
        return {"properties": [{"key": PROPERTY, "value": property_value(self.mark)}]} if self.property else {}

    def fields(self, site: Site) -> dict[str, Json]:
        """What the draft and our settings fill, by field id."""
        draft = self.draft
        last = self.mark.label if self.line else ""
        fields: dict[str, Json] = {
            "summary": one_line(draft.summary),
            "description": site.text(draft.description, self.limit, last) if draft.description or last else None,
            "priority": self._chosen("priority", draft.priority) if draft.priority else None,
            "assignee": site.user(draft.assignee) if draft.assignee else None,
            "labels": labels_of(draft.labels, self.mark.label if self.label else ""),
            "components": [self._chosen("components", name) for name in draft.components],
            "duedate": draft.due_date.isoformat() if draft.due_date else None,
            self.id_of("sprint"): draft.sprint,
            self.id_of("parent"): self._parent(draft.parent) if draft.parent else None,
        }
        return {**self.more, **{name: value for name, value in fields.items() if value}}

    def id_of(self, name: str) -> str:
        """What Jira calls a field of a draft; sprints and epics are tied by custom fields, other ones in every Jira."""
        if name == "due_date":
            return "duedate"
        kind = {"sprint": SPRINT, "parent": EPIC_LINK}.get(name, "")
        custom = self.screen.of_kind(kind) if kind else None
        return custom.id if custom else name

    def _parent(self, key: str) -> Json:
        return {"key": key} if self.id_of("parent") == "parent" else key

    def _chosen(self, field_id: str, name: str) -> Json:
        """By id where the form tells it: names are shown in the language of our account."""
        known = self.screen.fields.get(field_id)
        choice = known.choice(name) if known else None
        return {"id": str(choice["id"])} if choice and choice.get("id") else {"name": name}

    # --- after a refusal ----------------------------------------------------------------------

    def without(self, problems: dict[str, str]) -> "Attempt | None":
        """The next, plainer attempt; None where nothing that could be left out would help."""
        ours = {self.id_of(name): name for name in EMPTY}
        named = [ours.get(name, name) for name in problems if name != "jira"]
        if named:
            names = [self._step(name) for name in named]
            return self.minus(*names) if self._held().issuperset(names) else None
        told = problems.get("jira", "").lower()
        if "propert" in told and self.property:
            return self.minus("property")
        if ("too long" in told or "limit" in told) and self.draft.description and self.limit > SHORT_LIMIT:
            return self.minus("description")
        next_one = next((name for name in _ORDER if name in self._held()), None)
        return self.minus(next_one) if next_one else None

    def minus(self, *names: str) -> "Attempt":
        """The same without these, and with a note of it."""
        told = (self._told(name) for name in names)
        attempt = replace(self, dropped=tuple(dict.fromkeys((*self.dropped, *told))))
        for name in names:
            attempt = attempt._less(name)  # noqa: SLF001 - another attempt of our own
        return attempt

    def _step(self, name: str) -> str:
        """Labels go in two steps: the draft's own ones, then our marker."""
        return "marker" if name == "labels" and not self.draft.labels else name

    def _held(self) -> set[str]:
        """What is sent and could be left out."""
        held = {name for name, empty in EMPTY.items() if getattr(self.draft, name) != empty}
        held |= {name for name in self.more if not self.screen.fields[name].required}
        marks = {"marker": self.label, "property": self.property, "description": self.line}
        return held | {name for name, there in marks.items() if there}

    def _told(self, name: str) -> str:
        return self.screen.fields[name].name if name in self.more else name

    def _less(self, name: str) -> "Attempt":
        match name:
            case "property":
                return replace(self, property=False)
            case "marker":
                return replace(self, label=False, line=self.described)
            case "description" if self.limit > SHORT_LIMIT:
                return replace(self, limit=SHORT_LIMIT)
            case "description":
                return replace(self, draft=replace(self.draft, description=""), line=False, described=False)
            case _ if name in self.more:
                return replace(self, more={other: value for other, value in self.more.items() if other != name})
        return replace(self, draft=replace(self.draft, **{name: EMPTY[name]}))


def property_value(mark: Mark) -> Json:
    """What our property says; readable by whoever sees the ticket, so no word of the mail is in it."""
    return {"label": mark.label, "case": mark.case, "message": mark.message_hash}


def labels_of(labels: tuple[str, ...], mark: str) -> list[str]:
    """Labels hold no blanks; the mark is the last one, and nobody else's wish is a mark."""
    cleaned = ("-".join(visible(label).split())[:_LABEL_LIMIT] for label in labels)
    wished = (label for label in cleaned if not is_mark(label))
    return list(dict.fromkeys(label for label in (*wished, mark) if label))
