"""The graph between notes, people, tickets and mails."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.memory.graph import Graph, GraphEdge, NodeKind, Relation
from triage.domain.memory.notes import Note
from triage.policy.memory.graph import NoteGraph, links_of, person_node, resolved, traverse

ANN = a_note("people/ann", "Ann Smith", people=("Ann@acme.example",), source_emails=())
PLAN = a_note("decisions/plan", "The plan", source_emails=("case-3",), tickets=("HARB-12", "HARB-12"))
TODO = a_note(
    "action_required/2026/todo",
    "Do it",
    "See [[Plan|the plan]], [[nowhere]], [[todo]], [[plan#why]] and ![[picture]].",
    owner="Ann Smith <ann@acme.example>",
    related_to=("people/ann",),
    source_memories=("decisions/plan", "gone/note"),
    source_emails=(),
)
NOTES = (ANN, PLAN, TODO)


def graph_of(notes: Iterable[Note]) -> Graph:
    """The graph of notes that nobody has followed before."""
    return NoteGraph().follow(tuple(map(links_of, notes)))


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    """All edges, in words."""
    return {(edge.source, edge.relation.value, edge.target) for edge in graph.edges}


def test_every_relation() -> None:
    """Links lead to notes that exist, by id, file name or person, and each has its way back; people are one by address."""
    todo, plan, ann = "note:action_required/2026/todo", "note:decisions/plan", "note:people/ann"
    graph = graph_of(NOTES)

    assert edges(graph) == {
        (ann, "about", "person:ann@acme.example"),
        (plan, "tracked_by", "ticket:HARB-12"),
        (plan, "source_email", "mail:case-3"),
        (todo, "about", "person:ann@acme.example"),
        (todo, "related_to", ann),
        (ann, "referenced_by", todo),
        (todo, "source_memory", plan),
        (plan, "referenced_by", todo),
        (plan, "backlink", todo),
    }
    assert len(graph.edges) == len(set(graph.edges))
    assert {(node.id, node.kind.value, node.label) for node in graph.nodes} == {
        (ann, "note", "Ann Smith"),
        (plan, "note", "The plan"),
        (todo, "note", "Do it"),
        ("person:ann@acme.example", "person", "ann@acme.example"),
        ("ticket:HARB-12", "ticket", "HARB-12"),
        ("mail:case-3", "mail", "case-3"),
    }
    assert person_node("Ann  Smith") == "person:ann smith"


def test_the_graph_follows() -> None:
    """After a change it is as if it were built anew; without one it is the same."""
    follower = NoteGraph()
    linked = tuple(map(links_of, NOTES))
    graph = follower.follow(linked)
    changed = (ANN, replace(TODO, related_to=()), a_note("insights/plan", "Another"))

    assert follower.follow(linked) is graph
    more = a_note("insights/more")
    assert follower.follow((*linked, links_of(more))) == graph_of((*NOTES, more))
    assert follower.follow(tuple(map(links_of, changed))) == graph_of(changed)
    assert ("note:insights/plan", "backlink", "note:action_required/2026/todo") in edges(graph_of(changed))
    assert follower.follow(linked) == graph


def test_a_walk() -> None:
    """It goes in both directions, as far and as wide as it is told; an unknown start leads nowhere."""
    chain = tuple(
        a_note(f"insights/{n}", f"{n}", related_to=(f"insights/{n + 1}",), source_emails=()) for n in range(9)
    )
    graph = graph_of(chain)

    assert [node.label for node in traverse(graph, "note:insights/4", 0).nodes] == ["4"]
    assert [node.label for node in traverse(graph, "note:insights/4", 1).nodes] == ["3", "4", "5"]
    assert len(traverse(graph, "note:insights/4", 99).nodes) == 9
    assert len(traverse(graph, "note:insights/0", 99).nodes) == 7
    near = traverse(graph, "note:insights/4", 9, most=2)
    assert [node.label for node in near.nodes] == ["3", "4"]
    assert near.edges == (
        GraphEdge("note:insights/3", "note:insights/4", Relation.RELATED_TO),
        GraphEdge("note:insights/4", "note:insights/3", Relation.REFERENCED_BY),
    )
    assert traverse(graph, "note:none", 3) == Graph()


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("decisions/plan", "decisions/plan"),
        ("[[Plan|x]]", "decisions/plan"),
        ("TODO.md", "action_required/2026/todo"),
        ("ann@ACME.example", "people/ann"),
        ("Ann Smith", "people/ann"),
        ("The plan", ""),
        ("../plan", ""),
    ],
)
def test_what_people_call_a_note(name: str, note: str) -> None:
    """Its id, its file, a link, a person; titles of other notes are no names."""
    assert resolved(tuple(map(links_of, NOTES)), name) == note


def test_the_team_is_no_person() -> None:
    """The team's own address joins no notes, however its owner is written; other people do."""
    mine = (replace(PLAN, owner="Help <Help@acme.example>"), TODO)
    graph = NoteGraph().follow(tuple(map(links_of, mine)), team=("help@acme.example",))

    assert {node.label for node in graph.nodes if node.kind is NodeKind.PERSON} == {"ann@acme.example"}
    assert not [edge for edge in graph.edges if "help@" in edge.target]
