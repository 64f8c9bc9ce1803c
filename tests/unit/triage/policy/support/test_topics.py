"""The topics of a text."""

from triage.policy.support.topics import OF_TOPIC, topics_of


def test_topics_come_with_their_words_and_categories() -> None:
    """The most frequent topic first; a question about an invoice is about billing."""
    found = topics_of("Invoice", "How do I get the invoice and a receipt?")

    assert found.names == ("invoice", "how_to")
    assert found.tags == ("invoice", "how-to")
    assert found.categories == ("billing",)
    assert found.of("billing") == ("Invoice", "invoice", "receipt")


def test_a_mere_question_is_general() -> None:
    """Where nothing else is spoken of."""
    assert topics_of("", "What are your opening hours?").categories == ("general",)


def test_each_topic_has_a_category() -> None:
    """One of five."""
    assert len(set(OF_TOPIC.values())) == 5
