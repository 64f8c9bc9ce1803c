"""Builds the knowledge graph of the notes, note by note, and walks it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.domain.memory.graph import Edge, Graph, Node, NodeKind, Relation
from triage.domain.memory.notes import Note, NoteKind
from triage.policy.memory.front_matter import link_of

LINK: Final = re.compile(r"(?<!!)\[\[([^\[\]\n]{1,300})\]\]")
ADDRESS: Final = re.compile(r"<([^<>\s]+@[^<>\s]+)>")
DEEPEST: Final = 6
MOST: Final = 2000
"""Nodes of one walk."""


def note_node(note: str) -> str:
    """Return the id of a note's node."""
    return f"{NodeKind.NOTE}:{note}"


def person_node(name: str) -> str:
    """Return the id of a person's node, by address where there is one: `person:ann@acme.example`."""
    found = ADDRESS.search(name)
    return f"{NodeKind.PERSON}:{' '.join((found[1] if found else name).casefold().split())}"


@dataclass(frozen=True, slots=True)
class _Part:
    """What one note brings: its node, what it names with the edges there, and links to notes, folded."""

    note: Note
    node: Node
    named: tuple[Node, ...]
    edges: tuple[Edge, ...]
    links: tuple[tuple[str, Relation], ...]
    calls: tuple[str, ...]
    """What other notes call it, folded: its id first."""
    linked: dict[tuple[str, Relation], tuple[Edge, ...]] = field(default_factory=dict)
    """Edges by the note that a link leads to, as they were made before."""


class NoteGraph:
    """The graph of a vault. It is given all notes each time, and reads those that are other ones."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}
        self._followed: tuple[Note, ...] = ()
        self._graph = Graph()

    def follow(self, notes: tuple[Note, ...]) -> Graph:
        """Take over these notes as all that there are, and return their graph: the same one where nothing changed."""
        if notes is self._followed:
            return self._graph
        old = self._parts
        self._parts = {
            note.id: part if (part := old.get(note.id)) is not None and part.note is note else _part(note)
            for note in notes
        }
        self._graph, self._followed = _joined(self._parts), notes
        return self._graph


def graph_of(notes: Iterable[Note]) -> Graph:
    """Return the graph of these notes."""
    return NoteGraph().follow(tuple(notes))


def traverse(graph: Graph, start: str, depth: int, most: int = MOST) -> Graph:
    """Return the part of the graph within `depth` steps of a node, in either direction; at most `most` nodes, the nearest.

    An unknown start gives an empty graph.
    """
    known = {node.id for node in graph.nodes}
    near: defaultdict[str, set[str]] = defaultdict(set)
    for edge in graph.edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    reached = [start] if start in known else []
    beyond = tuple(reached)
    seen = set(reached)
    for _ in range(min(depth, DEEPEST)):
        beyond = tuple(dict.fromkeys(other for one in beyond for other in sorted(near[one]) if other not in seen))
        seen.update(beyond)
        reached += beyond
        if len(reached) >= most:
            break
    kept = set(reached[:most])
    return Graph(
        nodes=tuple(node for node in graph.nodes if node.id in kept),
        edges=tuple(edge for edge in graph.edges if edge.source in kept and edge.target in kept),
    )


def _part(note: Note) -> _Part:
    node = Node(id=note_node(note.id), kind=NodeKind.NOTE, label=note.title)
    people = dict.fromkeys(person_node(name) for name in (*note.people, note.owner) if name.strip())
    named = [(Node(id=each, kind=NodeKind.PERSON, label=each.partition(":")[2]), Relation.ABOUT) for each in people]
    named += [(_node(NodeKind.TICKET, key), Relation.TRACKED_BY) for key in dict.fromkeys(note.tickets)]
    named += [(_node(NodeKind.MAIL, case), Relation.SOURCE_EMAIL) for case in dict.fromkeys(note.source_emails)]
    links = [(_folded(link), Relation.RELATED_TO) for link in note.related_to]
    links += [(_folded(link), Relation.SOURCE_MEMORY) for link in note.source_memories]
    links += [(_folded(link_of(found)), Relation.BACKLINK) for found in LINK.findall(note.text)]
    called = (note.title, *note.people) if note.kind is NoteKind.PERSON else ()
    return _Part(
        note=note,
        node=node,
        named=tuple(each for each, _ in named),
        edges=tuple(Edge(node.id, each.id, relation) for each, relation in named),
        links=tuple(dict.fromkeys(links)),
        calls=tuple(_folded(each) for each in (note.id, note.id.rpartition("/")[2], *called)),
    )


def _node(kind: NodeKind, name: str) -> Node:
    return Node(id=f"{kind}:{name}", kind=kind, label=name)


def _joined(parts: Mapping[str, _Part]) -> Graph:
    """Put the parts together: links lead to the notes that they name, and each has its way back."""
    names = _names(parts.values())
    nodes: dict[str, Node] = {part.node.id: part.node for part in parts.values()}
    edges: list[Edge] = []
    for part in parts.values():
        for node in part.named:
            nodes.setdefault(node.id, node)
        edges += part.edges
        ways = {(target, relation): None for link, relation in part.links if (target := names.get(link))}
        told = {edge: None for way in ways if way[0] != part.note.id for edge in _edges(part, way)}
        edges += told
    return Graph(nodes=tuple(nodes.values()), edges=tuple(edges))


def _edges(part: _Part, way: tuple[str, Relation]) -> tuple[Edge, ...]:
    if way not in part.linked:
        part.linked[way] = _linked(part.node.id, note_node(way[0]), way[1])
    return part.linked[way]


def _linked(source: str, target: str, relation: Relation) -> tuple[Edge, ...]:
    """Return the edges of a link: `[[…]]` in a text is told by the note that it leads to."""
    if relation is Relation.BACKLINK:
        return (Edge(target, source, Relation.BACKLINK),)
    return Edge(source, target, relation), Edge(target, source, Relation.REFERENCED_BY)


def _names(parts: Iterable[_Part]) -> Mapping[str, str]:
    """Return the ids of notes by what links call them: id, file name, or, of people, title and address; the first wins."""
    parts = tuple(parts)
    names = {part.calls[0]: part.note.id for part in parts}
    for part in parts:
        for called in part.calls[1:]:
            names.setdefault(called, part.note.id)
    return names


def _folded(name: str) -> str:
    return (name if name.isascii() else unicodedata.normalize("NFC", name)).casefold()


def resolved(notes: Iterable[Note], name: str) -> str:
    """Return the id of the note that somebody calls so: an id, a link, a file name, a person; empty if there is none."""
    return _names(map(_part, notes)).get(_folded(link_of(name)), "")
