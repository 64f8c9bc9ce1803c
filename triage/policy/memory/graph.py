"""Builds the knowledge graph of the notes, note by note, and walks it."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.memory.graph import Graph, GraphEdge, Node, NodeKind, NoteLinks, Relation
from triage.domain.memory.notes import Note, NoteKind
from triage.policy.memory.front_matter import link_of

LINK: Final = re.compile(r"(?<!!)\[\[([^\[\]\n]{1,300})\]\]")
ADDRESS: Final = re.compile(r"<([^<>\s]+@[^<>\s]+)>")
NAMED: Final = {
    "person": (NodeKind.PERSON, Relation.ABOUT),
    "ticket": (NodeKind.TICKET, Relation.TRACKED_BY),
    "mail": (NodeKind.MAIL, Relation.SOURCE_EMAIL),
}
"""What a note names: by the prefix of the node's id its kind, and what the edge to it says."""
DEEPEST: Final = 6
MOST: Final = 2000
"""Nodes of one walk."""


def note_node(note: str) -> str:
    return f"note:{note}"


def person_node(name: str) -> str:
    """Return the id of a person's node, by address where there is one: `person:ann@acme.example`."""
    found = ADDRESS.search(name)
    return f"{NodeKind.PERSON}:{' '.join((found[1] if found else name).casefold().split())}"


def links_of(note: Note) -> NoteLinks:
    people = dict.fromkeys(person_node(name) for name in (*note.people, note.owner) if name.strip())
    links = [(_folded(link), Relation.RELATED_TO) for link in note.related_to]
    links += [(_folded(link), Relation.SOURCE_MEMORY) for link in note.source_memories]
    links += [(_folded(link_of(found)), Relation.BACKLINK) for found in LINK.findall(note.text)]
    called = (note.title, *note.people) if note.kind is NoteKind.PERSON else ()
    return NoteLinks(
        note=note.id,
        title=note.title,
        named=(
            *people,
            *(f"{NodeKind.TICKET}:{key}" for key in dict.fromkeys(note.tickets)),
            *(f"{NodeKind.MAIL}:{case}" for case in dict.fromkeys(note.source_emails)),
        ),
        links=tuple(dict.fromkeys(links)),
        calls=tuple(_folded(each) for each in (note.id, note.id.rpartition("/")[2], *called)),
    )


@dataclass(slots=True)
class _Part:
    """What one note brings, as nodes and edges."""

    links: NoteLinks
    node: Node
    edges: tuple[GraphEdge, ...]
    """To what it names."""
    targets: tuple[str | None, ...] = ()
    """Notes that its links led to when they were followed last."""
    linked: tuple[GraphEdge, ...] = ()
    """The edges of those."""


class NoteGraph:
    """The graph of a vault. It is given the links of all notes each time, and joins them again where one is another."""

    def __init__(self) -> None:
        self._parts: dict[str, _Part] = {}
        self._followed: tuple[NoteLinks, ...] = ()
        self._graph = Graph()

    def follow(self, notes: tuple[NoteLinks, ...], team: Collection[str] = ()) -> Graph:
        """Take over these as all that there are, and return their graph: the same one where nothing changed.

        `team` are the team's own addresses, the same each time. They are no people of the graph: what the team owns is
        everybody's, and would join notes that have nothing in common.
        """
        if notes is self._followed:
            return self._graph
        old, ours = self._parts, frozenset(map(person_node, team))
        self._parts = {
            one.note: part if (part := old.get(one.note)) is not None and part.links is one else _part(one, ours)
            for one in notes
        }
        self._graph, self._followed = _joined(self._parts, {node.id: node for node in self._graph.nodes}), notes
        return self._graph


def traverse(graph: Graph, start: str, depth: int, most: int = MOST) -> Graph:
    """Return the part of the graph within `depth` steps of a node, in either direction; at most `most` nodes, the nearest.

    An unknown start gives an empty graph.
    """
    reached = [start] if any(node.id == start for node in graph.nodes) else []
    beyond = tuple(reached)
    seen = set(reached)
    for _ in range(min(depth, DEEPEST)):
        near = _near(graph, frozenset(beyond))
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


def _near(graph: Graph, nodes: Collection[str]) -> Mapping[str, set[str]]:
    """Return the neighbours of some nodes."""
    near: defaultdict[str, set[str]] = defaultdict(set)
    for edge in graph.edges:
        if edge.source in nodes:
            near[edge.source].add(edge.target)
        if edge.target in nodes:
            near[edge.target].add(edge.source)
    return near


def _part(links: NoteLinks, team: Collection[str]) -> _Part:
    node = Node(note_node(links.note), NodeKind.NOTE, links.title)
    named = [name for name in links.named if name not in team]
    return _Part(links, node, tuple([GraphEdge(node.id, name, NAMED[name.partition(":")[0]][1]) for name in named]))


def _named(node: str) -> Node:
    kind, _, name = node.partition(":")
    return Node(node, NAMED[kind][0], name)


def _joined(parts: Mapping[str, _Part], known: Mapping[str, Node]) -> Graph:
    """Put the parts together: links lead to the notes that they name, and each has its way back."""
    names = _names([part.links for part in parts.values()])
    nodes: dict[str, Node] = {part.node.id: part.node for part in parts.values()}
    edges: list[GraphEdge] = []
    for part in parts.values():
        for edge in part.edges:
            if edge.target not in nodes:
                nodes[edge.target] = known.get(edge.target) or _named(edge.target)
        edges += part.edges
        if part.links.links:
            targets = tuple([names.get(link) for link, _ in part.links.links])
            if targets != part.targets:
                part.targets, part.linked = targets, _linked(part.links, targets)
            edges += part.linked
    return Graph(nodes=tuple(nodes.values()), edges=tuple(edges))


def _linked(links: NoteLinks, targets: Sequence[str | None]) -> tuple[GraphEdge, ...]:
    """Return the edges of links that lead to other notes: `[[…]]` in a text is told by the note that it leads to."""
    source, edges = note_node(links.note), []
    for target, (_, relation) in zip(targets, links.links, strict=True):
        if target is None or target == links.note:
            continue
        there = note_node(target)
        if relation is Relation.BACKLINK:
            edges.append(GraphEdge(there, source, relation))
        else:
            edges += (GraphEdge(source, there, relation), GraphEdge(there, source, Relation.REFERENCED_BY))
    return tuple(dict.fromkeys(edges) if len(links.links) > 1 else edges)


def _names(notes: Sequence[NoteLinks]) -> Mapping[str, str]:
    """Return the ids of notes by what links call them: id, file name, or, of people, title and address; the first wins."""
    names = {one.calls[0]: one.note for one in notes}
    for one in notes:
        for called in one.calls[1:]:
            names.setdefault(called, one.note)
    return names


def _folded(name: str) -> str:
    return (name if name.isascii() else unicodedata.normalize("NFC", name)).casefold()


def resolved(notes: Sequence[NoteLinks], name: str) -> str:
    """Return the id of the note that somebody calls so: an id, a link, a file name, a person; empty if there is none."""
    return _names(notes).get(_folded(link_of(name)), "")
