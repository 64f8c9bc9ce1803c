"""What is counted of found, answered and refused questions."""

from cli.evaluate.knowledge.files import KnowledgeQuestion
from cli.evaluate.knowledge.measure import MeasuredQuestion, asked, error_of, figures_of, noise_of, page_of
from triage.domain.support.articles import Article
from triage.domain.untrusted import Untrusted

ARTICLES = [
    Article(
        id="refunds", title="Refunds", text=Untrusted("## How do I get a refund?\nYou get the money back in five days.")
    ),
    Article(id="parcels", title="Parcels", text=Untrusted("## Where is my parcel?\nA parcel comes to your door.")),
    Article(id="games", title="Games", text=Untrusted("## Which games are there?\nWe sell chess and checkers.")),
]
QUESTIONS = [
    KnowledgeQuestion("How do I get a refund of my money?", frozenset({"refunds"})),
    KnowledgeQuestion("Where is my parcel? Does it come to the door?", frozenset({"parcels", "games"})),
    KnowledgeQuestion("Which refund do I get?", frozenset({"games"})),
    KnowledgeQuestion("Will zebras sing tonight?", frozenset()),
]


async def everything() -> list[MeasuredQuestion]:
    """All questions, asked."""
    return [one async for one in asked(ARTICLES, QUESTIONS)]


async def test_figures() -> None:
    """A right article anywhere counts for recall, an answer only if it cites one; refusals are counted by what was right."""
    told = figures_of(await everything())

    assert (told.queries, told.answerable, told.recall_at_1, told.recall_at_5) == (4, 3, 0.6667, 0.6667)
    assert (told.mrr, told.supported, told.refused_right) == (0.6667, 1.0, 1.0)
    assert told.scorer == "calibrated"
    assert 0 < told.calibration_error < 1
    assert figures_of([]).p95_ms == 0
    assert figures_of((await everything())[:1]).refused_right is None


async def test_the_report_shows_both_scorers() -> None:
    """Plots of each, and the questions that were answered wrongly."""
    page = page_of("q.jsonl", await everything(), {"queries": 4}).html()

    assert "<h2>Figures</h2>" in page
    assert "Calibration: seed" in page
    assert "Calibration: calibrated" in page
    assert "Which refund do I get?" in page


def test_calibration_error() -> None:
    """The mean distance between what is said and what comes, by tenths."""
    assert error_of([(0.95, True), (0.95, True), (0.05, False), (0.05, True)]) == 0.25
    assert error_of([]) == 0


def test_noise_of_a_small_set() -> None:
    """Four times as many questions have half the error by chance; who is certain has none."""
    few, many = noise_of([0.5, 0.75] * 10), noise_of([0.5, 0.75] * 40)

    assert 1.9 < few / many < 2.1
    assert noise_of([1.0, 0.0]) == noise_of([]) == 0
