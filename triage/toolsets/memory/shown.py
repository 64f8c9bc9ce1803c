"""Formats notes, mails and graphs for a tool's result: short, with words of others behind a fence."""

from collections import Counter
from typing import Final

from triage.domain.conversation import Json
from triage.domain.memory.graph import Graph, NodeKind
from triage.domain.memory.notes import MemoryMail, Note, NoteTrust
from triage.domain.untrusted import Untrusted
from triage.policy.text.untrusted import fenced, word

LONGEST_NOTE: Final = 8_000
LONGEST_MAIL: Final = 4_000
MOST_EDGES: Final = 200
MOST_HUBS: Final = 15


def line_of(note: Note) -> Json:
    """Return a note in a line: its words are cut to a name's characters, so that no sentence can pass as ours."""
    values = {
        "id": note.id,
        "title": word(note.title),
        "status": note.status.value,
        "trust": note.trust.value,
        "deadline": str(note.deadline or ""),
        "owner": word(note.owner),
        "quadrant": note.quadrant.value if note.quadrant else "",
        "tickets": list(note.tickets),
    }
    return {name: value for name, value in values.items() if value}


def whole(note: Note, nonce: str) -> Json:
    """Return all of a note; what nobody of ours wrote or confirmed stands behind a fence."""
    text = Untrusted(f"{note.title}\n\n{note.text}"[:LONGEST_NOTE])
    body = str(text) if note.trust is NoteTrust.TRUSTED else fenced("NOTE", text, nonce).text
    values = {
        **line_of(note),
        "kind": note.kind.value,
        "text": body,
        "created": str(note.created or ""),
        "people": [word(name) for name in note.people],
        "tags": [word(tag) for tag in note.tags],
        "priority_justification": word(note.priority_justification),
        "commitment_status": note.commitment_status.value if note.commitment_status else "",
        "source_emails": list(note.source_emails),
        "source_memories": list(note.source_memories),
        "related_to": list(note.related_to),
        "changes": [f"{change.at:%Y-%m-%d} {word(change.by)}: {word(change.what)}" for change in note.changes[-5:]],
    }
    return {name: value for name, value in values.items() if value}


def mail_of(mail: MemoryMail, nonce: str) -> Json:
    """Return a mail: what its sender wrote behind a fence, what code knows beside it."""
    text = Untrusted(f"Subject: {mail.subject}\n\n{mail.text}"[:LONGEST_MAIL])
    values = {
        "case": mail.case,
        "message_id": word(mail.message_id),
        "from": word(mail.sender),
        "to": [word(address) for address in mail.to],
        "at": f"{mail.at:%Y-%m-%dT%H:%MZ}",
        "trust": mail.trust.value,
        "ticket": mail.ticket,
        "answers": [word(reference) for reference in mail.references[-3:]],
        "text": fenced("MAIL", text, nonce).text,
    }
    return {name: value for name, value in values.items() if value}


def node_shown(node: str) -> str:
    """Return the id of a node as tools take it: that of a note whole, as in lists, others cut as names are."""
    return node if node.startswith(f"{NodeKind.NOTE.value}:") else word(node)


def graph_shown(graph: Graph) -> Json:
    """Return a graph: its size, the nodes with most edges, and, where they are few, all edges."""
    degrees = Counter(end for edge in graph.edges for end in (edge.source, edge.target))
    labels = {node.id: word(node.label) for node in graph.nodes}
    hubs = degrees.most_common(MOST_HUBS)
    shown: dict[str, Json] = {
        "nodes": dict(Counter(node.kind.value for node in graph.nodes)),
        "relations": dict(Counter(edge.relation.value for edge in graph.edges)),
        "most_connected": [{"id": node_shown(end), "label": labels[end], "edges": count} for end, count in hubs],
    }
    if len(graph.edges) > MOST_EDGES:
        return {**shown, "notes": ["the edges are too many to show: walk from one node with traverse_graph"]}
    edges = [[node_shown(edge.source), edge.relation.value, node_shown(edge.target)] for edge in graph.edges]
    return {**shown, "edges": edges}
