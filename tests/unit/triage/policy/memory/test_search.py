"""What a word of a note counts, and how rare it is."""

from tests.unit.triage.policy.memory.samples import a_note
from triage.policy.memory.search import name_terms, rarity, terms_of, words_of


def test_what_a_word_counts() -> None:
    """In the title more than in names, there more than in the text, in a long text less than in a short one; never 1."""
    short = words_of(a_note("decisions/x", "Audit", "The invoice is late.", tickets=("HARB-12",)))
    long = words_of(a_note("decisions/x", "Audit", "The invoice is late." + " More of it follows here." * 99))

    assert 1 > short["audit"] > short["harb-12"] > short["invoic"] > long["invoic"] > 0
    assert words_of(a_note("decisions/x", "Audit audit"))["audit"] > short["audit"]


def test_addresses_and_keys_are_terms() -> None:
    """Whole, beside their parts."""
    assert {"ann@acme.example", "harb-12"} <= {*terms_of("To <Ann@acme.example>: HARB-12, as agreed")}


def test_a_rare_word_counts_more() -> None:
    """What all notes hold still counts something."""
    assert rarity(0, 100) > rarity(1, 100) > rarity(100, 100) > 0


def test_people_are_found_by_parts_of_their_address() -> None:
    """By name, mailbox and host, not by the last part of the host."""
    assert {"reed", "north", "freight"} <= {*name_terms("Tom Reed <t.reed@north-freight.example>")}
    assert "example" not in {*name_terms("t.reed@north-freight.example")}
    assert "reed" in words_of(a_note("commitments/x", "Send the list", people=("t.reed@north-freight.example",)))
