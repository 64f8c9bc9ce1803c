"""The knowledge graph between notes, people, tickets and mails."""

from dataclasses import dataclass
from enum import StrEnum


class NodeKind(StrEnum):
    """What a node of the graph represents."""

    NOTE = "note"
    PERSON = "person"
    TICKET = "ticket"
    MAIL = "mail"


class Relation(StrEnum):
    """What an edge of the graph says."""

    RELATED_TO = "related_to"
    BACKLINK = "backlink"
    """The other end of a `[[link]]` in a note's text."""
    REFERENCED_BY = "referenced_by"
    SOURCE_MEMORY = "source_memory"
    SOURCE_EMAIL = "source_email"
    ABOUT = "about"
    """A note and a person in it."""
    TRACKED_BY = "tracked_by"
    """A note and its ticket."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node: `note:decisions/…`, `person:ann@acme.example`, `ticket:HARB-12`, `mail:case-17`."""

    id: str
    kind: NodeKind
    label: str


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A directed edge between ids of nodes."""

    source: str
    target: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Graph:
    """The knowledge graph, or a part of it."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """The edges that one note adds to the graph; computed once per note and cached."""

    note: str
    """Its id."""
    title: str
    named: tuple[str, ...] = ()
    """Ids of the nodes of people, tickets and mails that it names."""
    links: tuple[tuple[str, Relation], ...] = ()
    """Names of notes as it writes them, folded."""
    calls: tuple[str, ...] = ()
    """What other notes call it, folded: its id first."""
