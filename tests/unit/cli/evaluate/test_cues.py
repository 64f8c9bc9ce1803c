"""`triage eval cues`: what it counts, and how well the lists read our own sentences."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.evaluate.command import evaluate
from cli.evaluate.cues import Score, evaluated
from cli.evaluate.data_files import rows_of
from tests.conftest import ROOT
from triage.domain.errors import SettingsInvalid

SENTENCES = ROOT / "tests" / "corpus" / "cues"
RUN = CliRunner()
ROWS = (
    {
        "lang": "en",
        "subject": "Login",
        "text": "Ask Ada Byron about PostgreSQL, it crashes. Urgent!",
        "expect": {"priority": ["Highest", "High"], "type": "bug", "technologies": ["postgresql"], "people": ["a1"]},
    },
    {"lang": "en", "subject": "", "text": "It works again.", "expect": {"fixed": True, "type": "feature"}},
)
PEOPLE = {"id": "a1", "name": "Ada Byron", "email": "ada@example.com"}


def file_of(tmp_path: Path, *rows: object, name: str = "s.jsonl") -> Path:
    """A file with one object a line, and an empty line at its end."""
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.no_cover
def test_our_sentences_are_read() -> None:
    """Of the half that trains nothing at least 92 % are exact in priority and in type."""
    figures, _ = evaluated(SENTENCES / "test.jsonl")

    assert figures.sentences >= 200
    for cue in ("priority", "type"):
        score = figures.per_cue[cue]
        assert score.exact / score.checked >= 0.92, cue


@pytest.mark.no_cover
def test_sentences_that_nobody_tuned_to_are_read() -> None:
    """Written after the lists and never looked at again: nine of ten are exact in priority and in type."""
    figures, _ = evaluated(SENTENCES / "unseen.jsonl")

    assert figures.sentences == 60
    for cue in ("priority", "type"):
        score = figures.per_cue[cue]
        assert score.exact / score.checked >= 0.9, cue


@pytest.mark.no_cover
@pytest.mark.parametrize("file", ["names.jsonl", "fixed.jsonl"])
def test_names_and_claims_are_read(file: str) -> None:
    """Of sentences that name technologies or people, or say that something works again, in many languages, 19 of 20 are exact."""
    figures, _ = evaluated(SENTENCES / file, SENTENCES / "people.jsonl")

    assert figures.sentences > 80
    assert figures.exact / figures.sentences >= 0.95


@pytest.mark.no_cover
def test_grave_matters_told_calmly_are_read() -> None:
    """Of short mails from trades that no list knows, in twenty languages, five of six are exact in priority and in type."""
    figures, _ = evaluated(SENTENCES / "calm.jsonl")

    assert figures.sentences == 164
    for cue in ("priority", "type"):
        score = figures.per_cue[cue]
        assert score.exact / score.checked >= 5 / 6, cue


FRAMES = {
    "en": ("Hello team,\n\nI hope you are well. {}\n\nThanks a lot and best regards\nAnna"),
    "de": ("Guten Tag,\n\nich hoffe, es geht Ihnen gut. {}\n\nVielen Dank und freundliche Grüße\nAnna"),
    "fr": ("Bonjour,\n\nj'espère que vous allez bien. {}\n\nMerci et bonne journée\nAnna"),
    "es": ("Hola,\n\nespero que estén bien. {}\n\nGracias y un saludo\nAnna"),
    "ja": (
        "お世話になっております。株式会社さくらの田村です。\n{}\nお手数をおかけしますが、よろしくお願いいたします。"
    ),
}


@pytest.mark.no_cover
def test_courtesies_press_nobody(tmp_path: Path) -> None:
    """A greeting, good wishes and regards around a matter change its priority and its type in at most one mail of twenty."""
    bare = [row for _, row in rows_of(SENTENCES / "test.jsonl") if row["lang"] in FRAMES]
    framed = [{**row, "text": FRAMES[row["lang"]].format(row["text"])} for row in bare]

    figures, _ = evaluated(file_of(tmp_path, *bare))
    courteous, _ = evaluated(file_of(tmp_path, *framed, name="framed.jsonl"))

    for cue in ("priority", "type"):
        assert courteous.per_cue[cue].exact >= 0.95 * figures.per_cue[cue].exact, cue


def test_the_halves_are_disjoint() -> None:
    """No sentence stands in both halves, and together they speak ten languages."""
    halves = [[row for _, row in rows_of(SENTENCES / f"{half}.jsonl", ("lang", "text"))] for half in ("train", "test")]
    train, test = ({row["text"] for row in rows} for rows in halves)

    assert train & test == set()
    assert len(train | test) >= 400
    assert len({row["lang"] for rows in halves for row in rows}) >= 10


def test_each_cue_is_judged_as_expected(tmp_path: Path) -> None:
    """A list accepts any of its values, people are known by id, true means yes, and what is absent is not judged."""
    figures, misses = evaluated(file_of(tmp_path, *ROWS), file_of(tmp_path, PEOPLE, name="p.jsonl"))

    assert (figures.sentences, figures.exact) == (2, 1)
    assert figures.per_cue["priority"] == Score(1, 1)
    assert figures.per_cue["type"] == Score(2, 1)
    assert figures.per_cue["fixed"] == figures.per_cue["technologies"] == figures.per_cue["people"] == Score(1, 1)
    assert [(miss.cue, miss.expected, miss.got) for miss in misses] == [("type", "feature", "general")]


def test_a_technology_may_be_expected_by_any_of_its_names(tmp_path: Path) -> None:
    """Who wrote the expectations need not know how our lists call it: Postgres is PostgreSQL; an unlisted name stands for itself."""
    row = {"text": "PostgreSQL 16 on k8s is slow.", "expect": {"technologies": ["postgres", "Kubernetes"]}}
    other = {"text": "It is slow.", "expect": {"technologies": ["Zorblax"]}}

    _, misses = evaluated(file_of(tmp_path, row, other))

    assert [miss.expected for miss in misses] == ["Zorblax"]


def test_people_that_nobody_knows_are_missed(tmp_path: Path) -> None:
    """Without the people's file no name is found."""
    _, misses = evaluated(file_of(tmp_path, ROWS[0]))

    assert [(miss.cue, miss.expected) for miss in misses] == [("people", "a1")]


def test_the_command_prints_what_machines_and_people_read(tmp_path: Path) -> None:
    """JSON has the documented keys; the table shows shares, and --show the misses."""
    path = str(file_of(tmp_path, *ROWS))

    told = json.loads(RUN.invoke(evaluate, ["cues", path, "--json"]).stdout)
    page = tmp_path / "r.html"
    table = RUN.invoke(evaluate, ["cues", path, "--show", "--html", str(page)])

    assert set(told) == {"sentences", "exact", "per_cue"}
    assert told["per_cue"]["type"] == {"checked": 2, "exact": 1}
    assert "50.0%" in table.stdout
    assert "feature" in table.stderr
    assert "<svg" in page.read_text()


@pytest.mark.parametrize(
    ("line", "problem"),
    [("{", "line 1: is no JSON"), ('{"text": "a"}', "line 1: lacks expect"), ("[]", "is no object")],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    """The error says which line is wrong and what it lacks."""
    path = tmp_path / "s.jsonl"
    path.write_text(line)

    with pytest.raises(SettingsInvalid, match=problem):
        evaluated(path)
