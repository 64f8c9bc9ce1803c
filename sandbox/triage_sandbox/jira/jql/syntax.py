"""The syntax tree of a JQL query."""

from dataclasses import dataclass
from typing import TypeAlias


class JqlError(ValueError):
    """Jira's message about an invalid query."""


class MissingValueError(JqlError):
    """A field is compared with a value that does not exist: an error for a search, no match for a given issue."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written, without its quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function call."""

    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """The operand EMPTY or NULL."""


@dataclass(frozen=True, slots=True)
class Several:
    """A list of operands in parentheses."""

    members: tuple[Literal | Function | Empty, ...]


Operand: TypeAlias = Literal | Function | Empty | Several


@dataclass(frozen=True, slots=True)
class Clause:
    """A comparison such as `status != Done`; its operator is in capitals, as in NOT IN."""

    field: str
    operator: str
    operand: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """All of the parts (AND) or any of them (OR)."""

    word: str
    parts: tuple["Condition", ...]


Condition: TypeAlias = Clause | Not | Both


@dataclass(frozen=True, slots=True)
class Order:
    """A field to sort by; without a direction the field's default holds."""

    field: str
    direction: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query; an empty one has no condition."""

    where: Condition | None
    order: tuple[Order, ...]


def written(operand: Operand) -> str:
    """Return an operand as Jira repeats it in messages."""
    match operand:
        case Literal(text):
            return text
        case Function(name, arguments):
            return f"{name}({', '.join(arguments)})"
        case Several(members):
            return f"({', '.join(map(written, members))})"
        case Empty():
            return "EMPTY"
