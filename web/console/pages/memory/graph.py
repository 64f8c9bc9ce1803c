"""The knowledge graph to look at: a picture for the eye, and the same as a list with the neighbours of one node."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from starlette.responses import JSONResponse

from triage.domain.memory.graph import Graph, Node, NodeKind
from triage.policy.memory.views.layout import neighbours_of, places
from web.console.console import Console
from web.console.guard import Viewer
from web.console.headers import PRIVATE
from web.console.pages.memory.layout import GRAPH, MemoryLayout, note_url

LISTED: Final = 200
"""Nodes of the list."""
KINDS: Final = tuple(NodeKind)
NUMBERS: Final = {kind: number for number, kind in enumerate(KINDS)}
PLURALS: Final = {kind: "people" if kind is NodeKind.PERSON else f"{kind}s" for kind in NodeKind}
WORDS: Final = {
    "related_to": "related to",
    "backlink": "linked from",
    "referenced_by": "referenced by",
    "source_memory": "made from the note",
    "source_email": "from the mail",
    "about": "about",
    "tracked_by": "tracked by",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A node beside the chosen one."""

    node: Node
    relations: tuple[str, ...]
    degree: int


pages = APIRouter(prefix=GRAPH)


@pages.get("")
async def graph(
    console: Console,
    _: Viewer,
    node: Annotated[str, Query(max_length=300)] = "",
    q: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """Show the graph; the list beside it is the same for those who do not see the picture."""
    facts = {"asked": node, "q": q, "url_of": url_of, "plurals": PLURALS, "numbers": NUMBERS}
    seen = _seen(await console.memory.notes.graph(), node, q)
    return console.page("memory/graph.html", around=MemoryLayout(at=GRAPH), **facts, **seen)


@pages.get("/data")
async def data(console: Console, _: Viewer) -> Response:
    """Return the picture: places of nodes, and edges by their numbers."""
    whole = await console.memory.notes.graph()
    at, numbers = places(whole), {each.id: number for number, each in enumerate(whole.nodes)}
    nodes = [
        [each.id, KINDS.index(each.kind), each.label[:80], at[each.id].x, at[each.id].y, at[each.id].degree]
        for each in whole.nodes
    ]
    edges = sorted(
        {(numbers[e.source], numbers[e.target]) for e in whole.edges if e.source in numbers and e.target in numbers}
    )
    return JSONResponse({"nodes": nodes, "edges": edges}, headers=dict(PRIVATE))


def _seen(whole: Graph, node: str, q: str) -> dict[str, object]:
    """Return the nodes whose names hold a text, those with most edges first, and what is beside the chosen one."""
    degrees = {name: len(ends) for name, ends in neighbours_of(whole).items()}
    known = {each.id: each for each in whole.nodes}
    named = [each for each in whole.nodes if q.casefold() in f"{each.label} {each.id}".casefold()]
    listed = sorted(named, key=lambda each: (-degrees[each.id], each.label.casefold()))
    return {
        "nodes": [(each, degrees[each.id]) for each in listed[:LISTED]],
        "matching": len(listed),
        "total": len(whole.nodes),
        "edges": len(whole.edges),
        "counts": {kind: sum(each.kind is kind for each in whole.nodes) for kind in KINDS},
        "chosen": known.get(node),
        "beside": _beside(whole, node, known, degrees),
    }


def url_of(node: Node) -> str:
    """Return where people read what a node stands for; empty: nowhere here."""
    name = node.id.partition(":")[2]
    match node.kind:
        case NodeKind.NOTE:
            return note_url(name)
        case NodeKind.MAIL if name.startswith("case-") and name[5:].isdecimal():
            return f"/cases/{name[5:]}"
    return ""


def _beside(whole: Graph, node: str, known: dict[str, Node], degrees: dict[str, int]) -> tuple[Neighbour, ...]:
    """Return the neighbours of a node, those with most edges first."""
    found: dict[str, list[str]] = {}
    for edge in whole.edges:
        if node in {edge.source, edge.target} and edge.source != edge.target:
            other = edge.target if edge.source == node else edge.source
            found.setdefault(other, []).append(WORDS.get(edge.relation, str(edge.relation)))
    beside = (
        Neighbour(node=known[other], relations=tuple(dict.fromkeys(words)), degree=degrees[other])
        for other, words in found.items()
        if other in known
    )
    return tuple(sorted(beside, key=lambda one: (-one.degree, one.node.label.casefold())))
