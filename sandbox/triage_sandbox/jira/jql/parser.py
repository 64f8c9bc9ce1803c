"""Parses JQL tokens into a syntax tree by recursive descent; NOT binds stronger than AND, AND stronger than OR."""

from typing import Final

from triage_sandbox.jira.jql.syntax import (
    Both,
    Clause,
    Condition,
    Empty,
    Function,
    JqlError,
    Literal,
    Not,
    Operand,
    Order,
    Query,
    Several,
)
from triage_sandbox.jira.jql.tokens import RESERVED, Token, tokens

_COMPARING: Final = frozenset({"=", "!=", "~", "!~", "<", "<=", ">", ">="})
_HISTORY: Final = frozenset({"WAS", "CHANGED"})
_DEEPEST: Final = 50
_MOST_CLAUSES: Final = 5000
"""What SQLite can bind. Jira has no limit of its own: how long a URL may be keeps GET short, POST takes what comes."""


def parse(source: str) -> Query:
    """Parse a JQL query. Raises `JqlError` and nothing else."""
    return _Parser(source).query()


class _Parser:
    def __init__(self, source: str) -> None:
        self._tokens = list(tokens(source))
        self._at = 0
        self._depth = 0
        self._clauses = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _took(self, *keywords: str) -> bool:
        """Take these words of the grammar if they come next, one after the other."""
        ahead = self._tokens[self._at : self._at + len(keywords)]
        if tuple(token.keyword for token in ahead) != keywords:
            return False
        self._at += len(keywords)
        return True

    # --- the query --------------------------------------------------------------------------

    def query(self) -> Query:
        where = None if self._ended or self._next.keyword == "ORDER" else self._any_of()
        order = self._order() if self._took("ORDER", "BY") else ()
        if not self._ended:
            raise self._wrong(f"Expecting {'end of the query' if order else _OR_AND} but got '{self._next.text}'.")
        return Query(where, order)

    @property
    def _ended(self) -> bool:
        return self._next.kind == "end"

    def _order(self) -> tuple[Order, ...]:
        keys = [self._order_key()]
        while self._took(","):
            keys.append(self._order_key())
        return tuple(keys)

    def _order_key(self) -> Order:
        field = self._field()
        direction = next((word for word in ("ASC", "DESC") if self._took(word)), "")
        return Order(field, direction)

    def _any_of(self) -> Condition:
        parts = [self._all_of()]
        while self._took("OR") or self._took("||") or self._took("|"):
            parts.append(self._all_of())
        return parts[0] if len(parts) == 1 else Both("OR", tuple(parts))

    def _all_of(self) -> Condition:
        parts = [self._one()]
        while self._took("AND") or self._took("&&") or self._took("&"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Both("AND", tuple(parts))

    def _one(self) -> Condition:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise JqlError("Error in the JQL Query: The query is nested too deeply.")
        try:
            if self._took("NOT") or self._took("!"):
                return Not(self._one())
            if self._took("("):
                inside = self._any_of()
                if not self._took(")"):
                    raise self._wrong(f"Expecting ')' before the end of the query but got '{self._next.text}'.")
                return inside
            return self._clause()
        finally:
            self._depth -= 1

    # --- one clause ---------------------------------------------------------------------------

    def _clause(self) -> Clause:
        self._clauses += 1
        if self._clauses > _MOST_CLAUSES:
            raise JqlError("Error in the JQL Query: The query has too many clauses.")
        field = self._field()
        operator = self._operator(field)
        if operator in {"IS", "IS NOT"} and not (self._took("EMPTY") or self._took("NULL")):
            raise self._wrong(f"Expecting either 'EMPTY' or 'NULL' but got '{self._next.text}'.")
        return Clause(field, operator, Empty() if operator.startswith("IS") else self._operand())

    def _field(self) -> str:
        token = self._take()
        if token.kind == "word" and token.text.casefold() in RESERVED:
            raise self._reserved(token)
        if token.kind not in {"word", "quoted"} or not token.text:
            raise self._wrong(f"Expecting a field name but got '{token.text}'. {_QUOTE.format(token.text)}", token)
        return token.text

    def _operator(self, field: str) -> str:
        for words in (("NOT", "IN"), ("IS", "NOT"), ("IN",), ("IS",)):
            if self._took(*words):
                return " ".join(words)
        token = self._take()
        if token.text in _COMPARING and token.kind == "operator":
            return token.text
        if token.keyword in _HISTORY:
            raise JqlError(f"The operator '{token.text.lower()}' is not supported by the '{field}' field.")
        got = f"'{token.text}'" if token.kind != "end" else "the end of the query"
        raise self._wrong(f"Expecting operator but got {got}. {_OPERATORS}", token)

    def _operand(self) -> Operand:
        if not self._took("("):
            return self._value()
        members = [self._value()]
        while self._took(","):
            members.append(self._value())
        if not self._took(")"):
            raise self._wrong(f"Expecting ')' before the end of the list but got '{self._next.text}'.")
        return Several(tuple(members))

    def _value(self) -> Literal | Function | Empty:
        if self._took("EMPTY") or self._took("NULL"):
            return Empty()
        token = self._take()
        if token.kind == "quoted":
            return Literal(token.text)
        if token.kind != "word":
            got = f"'{token.text}'" if token.kind != "end" else "the end of the query"
            raise self._wrong(
                f"Expecting either a value, list or function but got {got}. {_QUOTE.format(token.text)}", token
            )
        if self._took("("):
            return Function(token.text, self._arguments())
        if token.text.casefold() in RESERVED:
            raise self._reserved(token)
        return Literal(token.text)

    def _arguments(self) -> tuple[str, ...]:
        arguments: list[str] = []
        while not self._took(")"):
            if arguments and not self._took(","):
                raise self._wrong(f"Expecting ',' or ')' but got '{self._next.text}'.")
            token = self._take()
            if token.kind not in {"word", "quoted"}:
                raise self._wrong(f"Expecting an argument but got '{token.text}'.", token)
            arguments.append(token.text)
        return tuple(arguments)

    # --- what Jira says -----------------------------------------------------------------------

    def _reserved(self, token: Token) -> JqlError:
        words = "is a reserved JQL word. You must surround it in quotation marks to use it in a query."
        return self._wrong(f"'{token.text}' {words}", token)

    def _wrong(self, words: str, token: Token | None = None) -> JqlError:
        return JqlError(f"Error in the JQL Query: {words} {(token or self._next).place}")


_OR_AND: Final = "either 'OR' or 'AND'"
_OPERATORS: Final = (
    "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
)
_QUOTE: Final = "You must surround '{}' in quotation marks to use it as a value."
