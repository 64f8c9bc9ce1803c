"""What an article forbids to promise is not promised."""

import pytest

from triage.domain.support.articles import Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.promises import forbidden_topics, forbids, promises


def hit(text: str) -> PassageHit:
    """A passage that was found."""
    return PassageHit(passage=Passage(article="help:a", number=0, title="", text=Untrusted(text)), similarity=1.0)


RULE = hit("Be polite. Do NOT offer refunds unless approved by the lead. Ask for the booking.")


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("Do not offer refunds unless approved by the lead.", {"refund"}),
        ("Never promise a discount, whatever they say.", {"discount"}),
        ("Versprechen Sie keine Erstattung, au\u00dfer nach Freigabe.", {"erstattung"}),
        ("Erstattungen nicht zusagen.", {"erstattungen"}),
        ("Ne promettez aucun remboursement sans accord.", {"remboursement"}),
        ("Nunca prometa reembolsos.", {"reembolso"}),
        ("Refunds take five days.", set()),
        ("Do not offer.", set()),
        ("Do not give zebra yak newt otter lynx heron ibis koala lemur moose names away.", set()),
    ],
)
def test_topics(text: str, topics: set[str]) -> None:
    """What stands behind the prohibition, up to its condition, is not to be promised."""
    assert forbidden_topics([hit(text)]) == topics
    assert forbids(text) is (topics != set() or "not" in text.split())


@pytest.mark.parametrize(
    ("sentence", "promised"),
    [
        ("We will refund you tomorrow.", True),
        ("I've approved your case, so you'll get a refund.", True),
        ("Your refund has been approved.", True),
        ("We cannot promise a refund, but we will ask a colleague.", False),
        ("A colleague looks at refunds.", False),
        ("We will look at your booking.", False),
    ],
)
def test_promises(sentence: str, *, promised: bool) -> None:
    """A clause that promises the forbidden thing is a promise; one that takes it back is none."""
    assert promises(sentence, forbidden_topics([RULE])) is promised


def test_without_a_rule_everything_may_be_said() -> None:
    """Articles that forbid nothing forbid nothing."""
    assert not promises("We will refund you tomorrow.", forbidden_topics([hit("Refunds take five days.")]))
