"""What routing costs with ten thousand rules, and what one expression can cost at most."""

import statistics
import time
from collections.abc import Callable
from functools import partial

import pytest

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.routing.conditions import Proof, RouteFacts
from triage.policy.routing.route import route_of
from triage.policy.routing.table import RuleTable

MANY = 10_000
WORST = ("^.*.*b", "a?a*b", "(?:a?){9}b", "(?:aa?){9}b", "a{0,55}a{0,55}b", "(?:a|a|a|a|a)a*b")


def fast(work: Callable[[], object], times: int = 20) -> float:
    """Milliseconds of processor time, the median."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - began))
    return statistics.median(taken)


def facts() -> RouteFacts:
    """A mail that only the last rule takes."""
    return RouteFacts(
        message=Message(
            sender=Address(address="ann@nowhere.example"),
            subject=Untrusted("Fwd: the boat of the month"),
            text=Untrusted("Hello\n" * 300),
            headers=tuple((f"x-{n}", "value") for n in range(40)),
        ),
        proof=Proof(trust=Trust.VERIFIED, checked=True),
    )


def _routed(table: RuleTable) -> object:
    return route_of(facts(), table)


@pytest.mark.bench
def test_bench_ten_thousand_rules() -> None:
    """Prints milliseconds of processor time per mail, by what the rules ask for; the bar is 5 ms."""
    last = RoutingRule(name="last", all=True)
    kinds = {
        "sender_domain": [RoutingRule(name=str(n), sender_domain=f"s{n}.example") for n in range(MANY)],
        "sender_email": [RoutingRule(name=str(n), sender_email=f"a@s{n}.example") for n in range(MANY)],
        "subject_contains": [RoutingRule(name=str(n), subject_contains=f"[INC{n}]") for n in range(MANY)],
        "forwarded_from": [RoutingRule(name=str(n), forwarded_from=f"a@s{n}.example") for n in range(MANY)],
        "header_match, header absent": [
            RoutingRule(name=str(n), header_match=(("x-team", pattern_of(f"^{n}$")),)) for n in range(MANY)
        ],
        "recipient": [RoutingRule(name=str(n), recipient=(f"a{n}@ours.example",)) for n in range(MANY)],
    }
    for name, rules in kinds.items():
        table = RuleTable.of((*rules, last))
        assert route_of(facts(), table).rule == "last"
        print(f"{name:30} {fast(partial(_routed, table)):8.2f} ms")


@pytest.mark.bench
def test_bench_the_worst_expressions() -> None:
    """Prints milliseconds of processor time that accepted patterns cost on hostile headers; the bar is 50 ms."""
    for text in WORST:
        pattern = pattern_of(text)
        worst = max(fast(partial(pattern.search, each), 3) for each in ("a" * 1000, "ab" * 500, "a" * 999 + "z"))
        print(f"{text:30} {worst:8.2f} ms")
