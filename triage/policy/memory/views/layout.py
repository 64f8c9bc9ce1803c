"""Places the nodes of the knowledge graph: each beside the one that it has most to do with, in linear time."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Final

from triage.domain.memory.graph import Graph

GOLDEN: Final = pi * (3 - sqrt(5))
STEP: Final = 14.0
"""Distance of two nodes of a cluster."""
GAP: Final = 26.0
"""Distance of two clusters."""


@dataclass(frozen=True, slots=True)
class NodePlace:
    """Where a node stands; the middle of the picture is (0, 0)."""

    x: float
    y: float
    degree: int
    """Number of its edges."""


def neighbours_of(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """Return the other ends of each node's edges, each once, in the order of the edges."""
    found: dict[str, dict[str, None]] = {node.id: {} for node in graph.nodes}
    for edge in graph.edges:
        if edge.source in found and edge.target in found and edge.source != edge.target:
            found[edge.source][edge.target] = None
            found[edge.target][edge.source] = None
    return {node: tuple(others) for node, others in found.items()}


def places(graph: Graph) -> Mapping[str, NodePlace]:
    """Return the place of each node, the same for the same graph: hubs in the middle of their clusters, large clusters inside."""
    around = neighbours_of(graph)
    hubs = sorted(around, key=lambda node: (-len(around[node]), node))
    taken: set[str] = set()
    clusters: list[list[str]] = []
    for hub in hubs:
        if hub not in taken:
            own = [hub, *(node for node in around[hub] if node not in taken)]
            taken.update(own)
            clusters.append(own)
    found: dict[str, NodePlace] = {}
    area = 0.0
    for number, cluster in enumerate(sorted(clusters, key=len, reverse=True)):
        radius = STEP * sqrt(len(cluster)) + GAP
        area += radius * radius
        away = sqrt(area) * 1.05 if number else 0.0
        x, y = away * cos(number * GOLDEN), away * sin(number * GOLDEN)
        for place, node in enumerate(cluster):
            out, turn = STEP * sqrt(place), place * GOLDEN
            found[node] = NodePlace(round(x + out * cos(turn), 1), round(y + out * sin(turn), 1), len(around[node]))
    return found
