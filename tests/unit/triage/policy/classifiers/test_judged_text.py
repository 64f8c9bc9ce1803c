"""What classifiers read of a text."""

from triage.policy.classifiers.judged_text import judged_text


def test_what_is_judged() -> None:
    """Links, addresses and numbers drop out; sums, shares and code stand as one word each."""
    told = judged_text(
        "Order 4711", "Pay $1,200.50 or 30 % at http://x.example/pay?a=1 to ada@x.example\nx = call();\n" + "M" * 60
    )

    assert told.split() == ["Order", "Pay", "xmoney", "or", "xpercent", "at", "to", "xcode"]
