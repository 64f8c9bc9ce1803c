"""Builds the body of the create request, and the order in which refused fields are dropped."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from integrations.jira.issue.screen import EPIC_LINK, SPRINT, IssueScreen
from integrations.jira.markup.text import TEXT_LIMIT, one_line
from integrations.jira.shapes import Site
from triage.domain.conversation import Json
from triage.domain.text.visible import visible
from triage.domain.tickets import Mark, Panel, TicketDraft, is_mark

PROPERTY: Final = "triage"
"""Key of the entity property that marks our tickets and comments."""

EMPTY: Final[dict[str, Json]] = {
    "assignee": None,
    "priority": None,
    "components": (),
    "affects_versions": (),
    "labels": (),
    "due_date": None,
    "sprint": None,
    "parent": None,
    "description": "",
}
"""The optional fields of a draft, with their empty values."""
_DROPPED: Final[dict[str, Json]] = {**EMPTY, "panel": None}
_ORDER: Final = (
    *("assignee", "priority", "components", "affects_versions"),
    *("labels", "due_date", "sprint", "parent", "property"),
)
"""Order in which fields are dropped if Jira's refusal names none; the mark's label stays."""

_IDS: Final = {"due_date": "duedate", "affects_versions": "versions"}
"""Draft's field → Jira's id, where it is another one."""

_LABEL_LIMIT: Final = 255
CACHED: Final = 8
SHORT_LIMIT: Final = TEXT_LIMIT // 4
"""Second limit to try: an administrator can lower Jira's, and it is undocumented whether ADF's JSON counts."""

_UNKNOWN: Final = IssueScreen(type_id="", type_name="")


@dataclass(frozen=True, slots=True)
class CreateAttempt:
    """A draft as one request sends it."""

    draft: TicketDraft
    mark: Mark
    screen: IssueScreen = _UNKNOWN
    """The form that the draft was fitted to."""
    more: Mapping[str, Json] = field(default_factory=dict)
    """Our settings' values by field id."""
    label: bool = True
    line: bool = False
    """The mark is the description's last line, since labels are not possible."""
    described: bool = True
    """The form has a description."""
    property: bool = True
    limit: int = TEXT_LIMIT
    dropped: tuple[str, ...] = ()

    def body(self, site: Site, project: str) -> Json:
        """Return the body of the create request; it never sets reporter or security level."""
        kind = {"id": self.screen.type_id} if self.screen.type_id else {"name": self.draft.issue_type}
        fields = {"project": {"key": project}, "issuetype": kind, **self.fields(site)}
        return {"fields": fields, **self.properties()}

    def properties(self) -> dict[str, Json]:
        """Return the mark as an entity property, which Jira's pages do not show."""
        return {"properties": [{"key": PROPERTY, "value": property_value(self.mark)}]} if self.property else {}

    def fields(self, site: Site) -> dict[str, Json]:
        """Return the values of the draft and our settings, by field id."""
        draft = self.draft
        last = self.mark.label if self.line else ""
        fields: dict[str, Json] = {
            "summary": one_line(draft.summary),
            "description": self._text(site, last),
            "priority": self._chosen("priority", draft.priority) if draft.priority else None,
            "assignee": site.user(draft.assignee) if draft.assignee else None,
            "labels": labels_of(draft.labels, self.mark.label if self.label else ""),
            "components": [self._chosen("components", name) for name in draft.components],
            "versions": [self._chosen("versions", name) for name in draft.affects_versions],
            "duedate": draft.due_date.isoformat() if draft.due_date else None,
            self.id_of("sprint"): draft.sprint,
            self.id_of("parent"): self._parent(draft.parent) if draft.parent else None,
        }
        return {**self.more, **{name: value for name, value in fields.items() if value}}

    def _text(self, site: Site, last: str) -> Json:
        """Return the description with panel and last line; None for an empty one."""
        draft = self.draft
        if not draft.description and not last:
            return None
        return _rendered(site, draft.description, self.limit, last, draft.panel if draft.description else None)

    def id_of(self, name: str) -> str:
        """Return Jira's id of a draft's field; sprint and epic are custom fields with other ids in every Jira."""
        if name in _IDS:
            return _IDS[name]
        kind = {"sprint": SPRINT, "parent": EPIC_LINK}.get(name, "")
        custom = self.screen.of_kind(kind) if kind else None
        return custom.id if custom else name

    def _parent(self, key: str) -> Json:
        return {"key": key} if self.id_of("parent") == "parent" else key

    def _chosen(self, field_id: str, name: str) -> Json:
        """Reference a value by id if the form has it, since names depend on our account's language."""
        known = self.screen.fields.get(field_id)
        choice = known.choice(name) if known else None
        return {"id": str(choice["id"])} if choice and choice.get("id") else {"name": name}

    # --- after a refusal ----------------------------------------------------------------------

    def without(self, problems: dict[str, str]) -> "CreateAttempt | None":
        """Return the next, plainer attempt; None if dropping fields does not help."""
        ours = {self.id_of(name): name for name in EMPTY}
        named = [ours.get(name, name) for name in problems if name != "jira"]
        if named:
            names = list(dict.fromkeys(self._step(name) for name in named))
            return self.minus(*names) if self._held().issuperset(names) else None
        problem = problems.get("jira", "").lower()
        if "propert" in problem and self.property:
            return self.minus("property")
        if ("too long" in problem or "limit" in problem) and self.draft.description and self.limit > SHORT_LIMIT:
            return self.minus("description")
        next_one = next((name for name in _ORDER if name in self._held()), None)
        return self.minus(next_one) if next_one else None

    def minus(self, *names: str) -> "CreateAttempt":
        """Return the attempt without these fields, noted in `dropped`."""
        labels = (self._label(name) for name in names)
        attempt = replace(self, dropped=tuple(dict.fromkeys((*self.dropped, *labels))))
        for name in names:
            attempt = attempt._less(name)  # noqa: SLF001 - an instance of this class
        return attempt

    def _step(self, name: str) -> str:
        """Drop labels in two steps: first the draft's, then our mark; before a description, the panel below it."""
        if name == "description" and self.draft.panel:
            return "panel"
        return "marker" if name == "labels" and not self.draft.labels else name

    def _held(self) -> set[str]:
        """Return the names of what is sent but could be dropped."""
        held = {name for name, empty in EMPTY.items() if getattr(self.draft, name) != empty}
        held |= {name for name in self.more if not self.screen.fields[name].required}
        marks = {
            "marker": self.label,
            "property": self.property,
            "description": self.line,
            "panel": self.draft.panel is not None,
        }
        return held | {name for name, there in marks.items() if there}

    def _label(self, name: str) -> str:
        return self.screen.fields[name].name if name in self.more else name

    def _less(self, name: str) -> "CreateAttempt":
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
        return replace(self, draft=replace(self.draft, **{name: _DROPPED[name]}))


def property_value(mark: Mark) -> Json:
    """Return the property's value; everybody who sees the ticket can read it, so it holds no text of the mail."""
    return {"label": mark.label, "case": mark.case, "message": mark.message_hash}


@lru_cache(maxsize=CACHED)
def _rendered(site: Site, markdown: str, limit: int, last: str, panel: Panel | None) -> Json:
    """Return `site.text`, for which the form asks first and then the request; nobody changes it."""
    return site.text(markdown, limit, last, panel)


def labels_of(labels: tuple[str, ...], mark: str) -> list[str]:
    """Return labels without blanks, the mark last; requested labels that look like a mark are removed."""
    cleaned = ("-".join(visible(label).split())[:_LABEL_LIMIT] for label in labels)
    wished = (label for label in cleaned if not is_mark(label))
    return list(dict.fromkeys(label for label in (*wished, mark) if label))
