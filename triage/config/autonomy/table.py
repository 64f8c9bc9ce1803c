"""The section `autonomy:` of triage.yaml: what runs unasked, by profile and kind of effect; it only lowers rights."""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from triage.config.autonomy.approvals import ApprovalRules
from triage.config.setting_names import nearest
from triage.config.shapes.base import Form, Shape

ToolName = Annotated[
    str, Form(r"^[a-z][A-Za-z0-9_.-]*$", "write the name of a tool: small letters, digits, _, - and dots")
]


class Level(StrEnum):
    """What happens to an effect that the rights allow, from the freest to the strictest."""

    AUTO = "auto"
    APPROVE = "approve"
    """A person decides first."""
    SHADOW = "shadow"
    """It is decided and recorded; nothing is written."""
    DENY = "deny"

    @property
    def strictness(self) -> int:
        return list(Level).index(self)


LETTER: Final = "letter"
KINDS: Final = {
    "ticket": "new tickets",
    "comment": "comments on tickets",
    "change": "changes of existing tickets: status, assignee, summary, sprint",
    "link": "links between tickets",
    LETTER: "letters to people",
    "draft": "drafts of letters",
    "outside": "calls of tools from outside that write or send",
}
"""Kind of effect → what it is, for people."""
DEFAULTS: Final[Mapping[str, Level]] = MappingProxyType({LETTER: Level.APPROVE})
"""What holds where triage.yaml says nothing; all other kinds run by themselves."""


class Autonomy(Shape):
    """The table: kinds of effects and tools by name, and `profiles` with the same of one profile. A tool's name counts before its kind of effect, a profile's row before that of all."""

    levels: dict[ToolName, Level] = Field(default_factory=dict)
    profiles: dict[str, dict[ToolName, Level]] = Field(default_factory=dict)
    shadow: bool = False
    """SHADOW: nothing is written at all."""

    def level(self, profile: str, tool: str, effect: str) -> Level:
        """Return the level of an effect of this kind, made by this tool."""
        tables = (self.profiles.get(profile, {}), self.levels, DEFAULTS)
        found = (table[name] for table in tables for name in (tool, effect) if name in table)
        level = next(found, Level.AUTO)
        return max(level, Level.SHADOW, key=lambda one: one.strictness) if self.shadow else level


def levels_apart(given: Any) -> Any:
    """Put all keys of the section but `profiles` under `levels`, so that it reads `letter: approve`."""
    if not isinstance(given, dict):
        return given
    levels = {name: level for name, level in given.items() if name != "profiles"}
    return {"levels": levels, **({"profiles": given["profiles"]} if "profiles" in given else {})}


def wrong_names(autonomy: Autonomy, approvals: ApprovalRules, tools: Collection[str]) -> Iterator[str]:
    """Yield each unknown name with its place and the nearest known one; `tools` are ours and those that profiles name."""
    known = {*KINDS, *tools}
    for name in sorted(autonomy.levels.keys() - known):
        yield f"autonomy.{name}: {_cure(name, known)}"
    for profile, row in sorted(autonomy.profiles.items()):
        for name in sorted(row.keys() - known):
            yield f"autonomy.profiles.{profile}.{name}: {_cure(name, known)}"
    for name in sorted(approvals.four_eyes - KINDS.keys()):
        yield f"approvals.four_eyes: {name}: {_cure(name, KINDS)}"


def _cure(name: str, known: Collection[str]) -> str:
    meant = nearest(name, known)
    if meant:
        return f"means nothing; did you mean {meant}?"
    tools = "" if known is KINDS else ", or a tool that a profile has"
    return f"means nothing; name a kind of effect ({', '.join(KINDS)}){tools}, or take it out"
