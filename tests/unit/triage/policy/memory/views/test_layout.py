"""Places of the graph's nodes."""

from math import hypot

from triage.domain.memory.graph import Graph, GraphEdge, Node, NodeKind, Relation
from triage.policy.memory.views.layout import neighbours_of, places


def graph(edges: list[tuple[str, str]], *alone: str) -> Graph:
    """Return a graph of these edges and nodes without any."""
    names = dict.fromkeys([*(name for edge in edges for name in edge if name != "gone"), *alone])
    return Graph(
        nodes=tuple(Node(id=name, kind=NodeKind.NOTE, label=name) for name in names),
        edges=tuple(GraphEdge(source=a, target=b, relation=Relation.RELATED_TO) for a, b in edges),
    )


def test_neighbours_are_told_once() -> None:
    """Both ends of an edge know each other; loops and ends that are no nodes count not."""
    assert neighbours_of(graph([("a", "b"), ("b", "a"), ("a", "a"), ("a", "gone")], "c")) == {
        "a": ("b",),
        "b": ("a",),
        "c": (),
    }


def test_every_node_has_a_place_of_its_own() -> None:
    """No two nodes stand in the same place, neighbours stand close, and the same graph looks the same."""
    star = [(f"hub{n}", f"leaf{n}-{m}") for n in range(8) for m in range(12)]
    made = graph(star, *(f"alone{n}" for n in range(20)))
    found = places(made)

    assert len({(place.x, place.y) for place in found.values()}) == len(made.nodes)
    assert found == places(made)
    far = hypot(found["hub0"].x - found["hub7"].x, found["hub0"].y - found["hub7"].y)
    near = max(
        hypot(found["hub0"].x - found[f"leaf0-{m}"].x, found["hub0"].y - found[f"leaf0-{m}"].y) for m in range(12)
    )
    assert near < far
    assert found["hub3"].degree == 12


def test_the_work_grows_with_the_graph_alone() -> None:
    """Five thousand nodes have places at once."""
    assert len(places(graph([(f"n{n % 500}", f"m{n}") for n in range(4_500)]))) == 5_000
