"""What goes wrong in which run: every fault of the sandbox on creating, the same on the reads that settle it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Final

from tests.faults.writer import usual
from triage_sandbox.jira import Fault
from triage_sandbox.jira.ground.lag import Lag

POST: Final[dict[str, Any]] = {"method": "POST", "path": r"/issue$"}
READS: Final[dict[str, Any]] = {"path": r"/issue/bulkfetch$|/issue/[A-Z]+-\d+$|/search(/jql)?$"}
"""By which a lost ticket is looked for."""

SHARE: Final = 0.2
"""Of the POSTs go wrong."""
OF_READS: Final = 0.1
REFUSED: Final = {"errorMessages": ["No."], "errors": {}}
PAGE: Final = "<html><head><title>Bad Gateway</title></head><body>nginx</body></html>"
FORMS: Final = (frozenset({"priority"}), frozenset({"labels"}), frozenset({"priority", "labels"}), frozenset[str]())
"""Fields that go from the screen and come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultScenario:
    """One kind of trouble."""

    name: str
    faults: Callable[[float], Sequence[Fault]] = lambda _: ()
    """Those in force, given how fast the time goes; asked anew twice a second."""
    spell: bool = False
    """It comes and goes."""
    lag: Lag | None = None
    forms: Sequence[frozenset[str]] = ()
    skew: int = 0
    """Seconds that the site's clock is ahead."""
    moving: bool = False
    """People move every third new ticket to another project, as soon as they see it."""


def everywhere(fault: Fault, share: float = SHARE, of_reads: float = OF_READS) -> Callable[[float], Sequence[Fault]]:
    """This fault by chance, on creating and on the reads that settle it."""
    rules = [replace(fault, count=0, probability=share, **POST)]
    rules += [replace(fault, count=0, probability=of_reads, carried_out=False, **READS)] if of_reads else []
    return lambda _: rules


def answered(status: int, body: Any = REFUSED, **more: Any) -> Fault:
    """This instead of Jira's own answer."""
    return Fault(do="answer", status=status, body=body, **more)


def _by_date(_: float) -> Sequence[Fault]:
    """429 until a moment, in words of RFC 9110."""
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    return everywhere(answered(429, headers={"Retry-After": until}))(0)


def _slow(speed: float) -> Sequence[Fault]:
    """Later than we wait, and then it is there; reads that never answer."""
    wait = usual("jira_timeout")
    late = Fault(do="delay", seconds=1.3 * wait / speed, count=0, probability=SHARE, **POST)
    return [late, Fault(do="timeout_after", seconds=2 * wait / speed, count=0, probability=OF_READS / 5, **READS)]


def _silent(speed: float) -> Sequence[Fault]:
    """It is there at once, and nobody says so."""
    return everywhere(Fault(do="timeout_after", seconds=2 * usual("jira_timeout") / speed), SHARE, OF_READS / 5)(speed)


def _mixed(speed: float) -> Sequence[Fault]:
    """A little of everything."""
    after = (Fault(do="reset_after"), Fault(do="truncate"), answered(502, PAGE, carried_out=True))
    before = (
        Fault(do="reset"),
        answered(500),
        answered(503),
        answered(408),
        answered(429, headers={"Retry-After": "2"}),
    )
    each = [everywhere(fault, 0.04, 0.02)(speed) for fault in (*after, *before)]
    rules = [rule for rules in (*each, _silent(speed)) for rule in rules]
    return [replace(rule, seed=seed, probability=min(rule.probability, 0.04)) for seed, rule in enumerate(rules)]


LOGIN: Final = {"WWW-Authenticate": 'OAuth realm="sandbox"'}
LOST: Final = Fault(do="reset_after")
BURST: Final = Fault(do="limit", per="endpoint", windows=((20, 1.0),), count=0, **POST)

SCENARIOS: Final = (
    FaultScenario(name="fair"),
    FaultScenario(name="429, Retry-After in seconds", faults=everywhere(answered(429, headers={"Retry-After": "2"}))),
    FaultScenario(name="429, Retry-After as a date", faults=_by_date),
    FaultScenario(name="429 without Retry-After", faults=everywhere(answered(429))),
    FaultScenario(
        name="429 per issue",
        faults=everywhere(
            answered(429, headers={"Retry-After": "2", "RateLimit-Reason": "jira-per-issue-on-write"}),
        ),
    ),
    FaultScenario(name="429 from a real limit", faults=lambda _: [BURST]),
    FaultScenario(name="500", faults=everywhere(answered(500))),
    FaultScenario(name="500 after commit", faults=everywhere(answered(500, carried_out=True))),
    FaultScenario(name="502, a page", faults=everywhere(answered(502, PAGE))),
    FaultScenario(name="502, a page, after commit", faults=everywhere(answered(502, PAGE, carried_out=True))),
    FaultScenario(name="503", faults=everywhere(answered(503))),
    FaultScenario(name="503 with Retry-After", faults=everywhere(answered(503, headers={"Retry-After": "2"}))),
    FaultScenario(name="503, all of it, for a while", faults=lambda _: [answered(503, count=0)], spell=True),
    FaultScenario(name="408", faults=everywhere(answered(408))),
    FaultScenario(name="reset before commit", faults=everywhere(Fault(do="reset"))),
    FaultScenario(name="reset after commit", faults=everywhere(LOST)),
    FaultScenario(name="no answer after commit", faults=_silent),
    FaultScenario(name="committed after our timeout", faults=_slow),
    FaultScenario(name="half an answer after commit", faults=everywhere(Fault(do="truncate"))),
    FaultScenario(name="empty 201", faults=everywhere(answered(201, ""))),
    FaultScenario(name="empty 201 after commit", faults=everywhere(answered(201, "", carried_out=True))),
    FaultScenario(name="login page", faults=everywhere(Fault(do="login_page"), of_reads=OF_READS / 5)),
    FaultScenario(
        name="login page after commit",
        faults=everywhere(Fault(do="login_page", carried_out=True), of_reads=OF_READS / 5),
    ),
    FaultScenario(
        name="taken for a stranger", faults=everywhere(Fault(do="anonymous"), SHARE / 10, OF_READS / 10), spell=True
    ),
    FaultScenario(name="401 for a while", faults=lambda _: [answered(401, headers=LOGIN, count=0)], spell=True),
    FaultScenario(
        name="403 with a captcha", faults=everywhere(Fault(do="captcha"), SHARE / 10, OF_READS / 10), spell=True
    ),
    FaultScenario(
        name="index 30 s behind, reset after commit",
        faults=everywhere(LOST),
        lag=Lag(way="fixed", milliseconds=30_000),
    ),
    FaultScenario(
        name="index comes and goes, reset after commit",
        faults=everywhere(LOST),
        lag=Lag(way="flicker", milliseconds=30_000),
    ),
    FaultScenario(name="site's clock wrong, reset after commit", faults=everywhere(LOST), skew=-86_400),
    FaultScenario(name="form changes: 400, then plainer", forms=FORMS),
    FaultScenario(name="form changes, reset after commit", faults=everywhere(LOST), forms=FORMS),
    FaultScenario(name="moved away at once, reset after commit", faults=everywhere(LOST), moving=True),
    FaultScenario(name="all of it by turns", faults=_mixed, forms=FORMS, lag=Lag(way="jitter", milliseconds=3_000)),
)
