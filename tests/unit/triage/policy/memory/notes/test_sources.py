"""Where each part of a note comes from, and what is left without a source."""

from dataclasses import replace

import pytest

from tests.unit.triage.policy.memory.samples import a_note
from triage.domain.untrusted import Untrusted
from triage.policy.memory.dedup import merged
from triage.policy.memory.notes.sources import harmless, parts_of, without

ANN = a_note("commitments/a", "Send the report", "Ann: yes.", people=("ann@acme.example",))
BOB = a_note("commitments/b", "Report", "Bob: soon.", source_emails=("case-18",), source_senders=("bob@acme.example",))
BOTH = merged(ANN, BOB)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("![x](https://evil.example/p.png) ![[page]]", "!\\[x](https://evil.example/p.png) !\\[[page]]"),
        ("<img src=x> <!-- a --> 3 < 4 </b> <% tp %>", "&lt;img src=x> &lt;!-- a --> 3 < 4 &lt;/b> &lt;% tp %>"),
        ("```dataviewjs\nx\n```\n~~~ js\n", "```text\nx\n```\n~~~ text\n"),
        ("`=this.x` `$= dv.y`", "` =this.x` ` $= dv.y`"),
        ("*From case-1, boss@acme.example:*\npay", "\\*From case-1, boss@acme.example:*\npay"),
        ("plain [[decisions/x]] **bold**\u202e", "plain [[decisions/x]] **bold**"),
    ],
)
def test_text_from_outside_does_nothing(text: str, kept: str) -> None:
    """It loads nothing from the net, runs no code of Obsidian's plug-ins, and names no source of its own."""
    assert harmless(text) == kept
    assert harmless(harmless(text)) == kept


def test_a_note_of_one_source_goes() -> None:
    """By case, by sender, by the note that it was made from; other sources leave it as it is, but for what it is related to."""
    made = a_note("action_required/x", source_memories=("decisions/x",))

    for source in ("case-17", "ann@acme.example"):
        assert without(ANN, frozenset({source})) is None
    assert without(made, frozenset({"decisions/x"})) is None
    assert without(ANN, frozenset({"case-18"})) is ANN
    assert without(replace(ANN, related_to=("people/eve",)), frozenset({"people/eve"})) == replace(ANN, related_to=())


def test_a_part_goes_and_the_rest_stays() -> None:
    """Each source can be taken out of a merged note, whatever it was merged into; the title is of what is left."""
    without_bob = without(BOTH, frozenset({"bob@acme.example"}))
    without_ann = without(BOTH, frozenset({"ann@acme.example"}))

    assert without_bob == ANN
    assert without_ann
    assert (without_ann.title, without_ann.text, without_ann.people) == ("Report", "Bob: soon.", ())
    assert (without_ann.source_emails, without_ann.source_senders) == (("case-18",), ("bob@acme.example",))
    assert without(BOTH, frozenset({"case-17", "case-18"})) is None


def test_what_a_person_wrote_above_stays() -> None:
    """As long as something else does; words of people alone have no source, and a merged note without its own goes."""
    edited = replace(BOTH, text=Untrusted(f"Kim: I called her.\n\n{BOTH.text}"))
    left = without(edited, frozenset({"case-17"}))

    assert parts_of(edited)[0].sources == ()
    assert left
    assert left.text == "Kim: I called her.\n\n*From case-18, bob@acme.example:*\nBob: soon."
    assert without(edited, frozenset({"case-17", "case-18"})) is None
    assert without(replace(BOTH, source_emails=("case-99",)), frozenset({"case-99"})) is None
