"""The retriever gives three passages of the mail's own account, and no account that a model could choose."""

from dataclasses import dataclass, field

from triage.domain.support.articles import Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.toolsets.knowledge.tools import LONGEST, knowledge_retriever


@dataclass
class Shelf:
    """A library that remembers what it was asked."""

    asked: list[tuple[str, int, str]] = field(default_factory=list)

    async def find(self, question: str, limit: int = 3, account: str = "") -> tuple[PassageHit, ...]:
        """One long passage."""
        self.asked.append((question, limit, account))
        text = Untrusted("x" * (LONGEST + 1))
        passage = Passage(article="help:a", number=2, title="A", heading="B > C", text=text, url="https://h.example/a")
        return (PassageHit(passage=passage, similarity=0.9),)


@dataclass
class At:
    """What the tool reads."""

    library: Shelf | None
    account: str = "kraftpost"


async def test_passages_are_found() -> None:
    """Three passages for the account of the mail, each with id, title, address, heading and text, cut."""
    at = At(Shelf())

    [told] = await knowledge_retriever.function(at, query="Where is it?")

    assert at.library
    assert at.library.asked == [("Where is it?", 3, "kraftpost")]
    assert told == {
        "id": "help:a#2", "title": "A", "url": "https://h.example/a", "heading": "B > C", "text": "x" * LONGEST,
    }  # fmt: skip
    assert list(knowledge_retriever.spec.parameters["properties"]) == ["query"]


async def test_without_a_library() -> None:
    """Nothing is found."""
    assert await knowledge_retriever.function(At(None), query="x") == []
