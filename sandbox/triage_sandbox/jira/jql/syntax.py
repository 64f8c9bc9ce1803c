"""The syntax tree of a JQL query."""

from dataclasses import dataclass
from typing import TypeAlias


class JqlError(ValueError):
    """What Jira says about a query that it does not take."""


class MissingValueError(JqlError):
    """A field is compared with something that is not there: wrong for a search, no match for an issue at hand."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written, without its quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function with its arguments."""

    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """EMPTY, or NULL."""


@dataclass(frozen=True, slots=True)
class Several:
    """A list in parentheses."""

    members: tuple[Literal | Function | Empty, ...]


Operand: TypeAlias = Literal | Function | Empty | Several


@dataclass(frozen=True, slots=True)
class Clause:
    """`status != Done`: the operator in capitals, as in NOT IN."""

    field: str
    operator: str
    operand: Operand


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """All of the parts (AND) or any of them (OR)."""

    word: str
    parts: tuple["Condition", ...]


Condition: TypeAlias = Clause | Not | Both


@dataclass(frozen=True, slots=True)
class Order:
    """One field to sort by; without a direction the field's own holds."""

    field: str
    direction: str


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query; an empty one has no condition."""

    where: Condition | None
    order: tuple[Order, ...]


def written(operand: Operand) -> str:
    """As Jira repeats it in its messages."""
    match operand:
        case Literal(text):
            return text
        case Function(name, arguments):
            return f"{name}({', '.join(arguments)})"
        case Several(members):
            return f"({', '.join(map(written, members))})"
        case Empty():
            return "EMPTY"
