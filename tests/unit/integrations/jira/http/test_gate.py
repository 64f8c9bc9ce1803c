"""When a request may go to Jira, with a clock moved by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from requests.structures import CaseInsensitiveDict

from integrations.jira.http.errors import JiraAnswer
from integrations.jira.http.gate import FAILURES, FIRST_PAUSE, LOCKED, LONGEST_PAUSE, LOOK, PATIENCE, UNTOLD, Gate
from integrations.jira.http.wire import Lost
from triage.domain.errors import TrackerBusy, TrackerDenied, TrackerDown
from triage.domain.operations.limits import Allowance, Permit

COMMENT = ("POST", "api/3/issue/OPS-7/comment")
OTHER_COMMENT = ("POST", "api/3/issue/OPS-8/comment")
CREATE = ("POST", "api/3/issue")
SEARCH = ("GET", "api/3/search/jql")
LOST = Lost("ConnectionError at GET", sent=True)
FINE = JiraAnswer(200, CaseInsensitiveDict(), b"{}")


class Hand:
    """A clock."""

    at = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.at


@pytest.fixture
def clock() -> Hand:
    """Moved by hand."""
    return Hand()


@pytest.fixture
def gate(clock: Hand) -> Gate:
    """Open."""
    return Gate(clock)


def answer(status: int, body: bytes = b"", /, **headers: str) -> JiraAnswer:
    """What Jira says; header names with `_` for `-`."""
    return JiraAnswer(
        status, CaseInsensitiveDict({name.replace("_", "-"): value for name, value in headers.items()}), body
    )


def goes(gate: Gate, request: tuple[str, str]) -> bool:
    """The request may go."""
    try:
        gate.check(*request)
    except (TrackerBusy, TrackerDown, TrackerDenied):
        return False
    return True


def test_writes_to_one_ticket_are_spread(gate: Gate, clock: Hand) -> None:
    """Ten at once go, then they wait their turn, and those with a long wait are sent back to the queue."""
    waits = [gate.reserve(*COMMENT) for _ in range(13)]

    assert waits[:10] == [0.0] * 10
    assert waits[10:] == pytest.approx([0.67, 1.33, 2.0], abs=0.01)
    with pytest.raises(TrackerBusy) as busy:
        gate.reserve(*COMMENT)
    assert busy.value.retry_after is not None
    assert busy.value.retry_after > PATIENCE
    assert gate.reserve(*OTHER_COMMENT) == 0
    clock.at += 10
    assert gate.reserve(*COMMENT) == 0


def test_no_more_than_jira_allows_a_ticket(gate: Gate, clock: Hand) -> None:
    """However many want to write to it: less than 20 within 2 s, less than 100 within 30 s."""
    sent: list[float] = []
    for _ in range(3000):
        try:
            sent.append(clock.at + gate.reserve(*COMMENT))
        except TrackerBusy:
            clock.at += 0.02

    assert max(sum(one <= other < one + 2 for other in sent) for one in sent) < 20
    assert max(sum(one <= other < one + 30 for other in sent) for one in sent) < 100


def test_one_address_is_asked_in_measure(gate: Gate) -> None:
    """A burst of reads at one address waits, another address is free."""
    waits = [gate.reserve(*SEARCH) for _ in range(100)]

    assert waits[49] == 0
    assert 0 < waits[-1] <= PATIENCE
    assert gate.reserve(*CREATE) == 0


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        pytest.param({"Retry_After": "7"}, 7, id="number"),
        pytest.param(
            {"Retry_After": "Fri, 20 Nov 2026 08:00:09 GMT", "Date": "Fri, 20 Nov 2026 08:00:00 GMT"}, 9, id="date"
        ),
        pytest.param({}, UNTOLD, id="nothing"),
        pytest.param({"X_RateLimit_Reset": "nonsense"}, UNTOLD, id="nonsense"),
    ],
)
def test_nothing_goes_before_its_time(gate: Gate, clock: Hand, told: dict[str, str], seconds: float) -> None:
    """After 429 the address keeps still for as long as Jira says, and tells how long that is; others go on."""
    gate.heard(*CREATE, answer(429, **told))
    clock.at += seconds - 1
    with pytest.raises(TrackerBusy) as busy:
        gate.check(*CREATE)

    assert busy.value.retry_after == pytest.approx(1)
    assert goes(gate, SEARCH)
    clock.at += 1
    assert goes(gate, CREATE)


def test_the_moment_of_the_next_allowance(gate: Gate, clock: Hand) -> None:
    """`X-RateLimit-Reset` counts where Retry-After is missing."""
    gate.heard(*CREATE, answer(429, X_RateLimit_Reset=(datetime.now(UTC) + timedelta(seconds=200)).isoformat()))
    clock.at += 100

    assert not goes(gate, CREATE)
    clock.at += 101
    assert goes(gate, CREATE)


def test_too_much_for_one_ticket_holds_that_ticket(gate: Gate) -> None:
    """Its other writes wait, too; other tickets and all reads go on."""
    gate.heard(*COMMENT, answer(429, Retry_After="5", RateLimit_Reason="jira-per-issue-on-write"))

    assert not goes(gate, ("POST", "api/3/issue/OPS-7/transitions"))
    assert goes(gate, OTHER_COMMENT)
    assert goes(gate, ("GET", "api/3/issue/OPS-7"))


def test_a_quota_that_is_spent_holds_everything(gate: Gate) -> None:
    """It is counted for the whole site."""
    gate.heard(*SEARCH, answer(429, Retry_After="60", RateLimit_Reason="jira-quota-global-based"))

    assert not goes(gate, COMMENT)


def test_maintenance_holds_everything_until_it_is_over(gate: Gate, clock: Hand) -> None:
    """A 503 that says how long it takes is believed at once."""
    gate.heard(*SEARCH, answer(503, Retry_After="120"))

    assert not goes(gate, CREATE)
    clock.at += 121
    assert goes(gate, CREATE)


def test_a_jira_that_is_down_is_asked_now_and_then(gate: Gate, clock: Hand) -> None:
    """After five failures in a row one request looks, others are told at once; the pause grows up to a minute."""
    for _ in range(FAILURES):
        assert goes(gate, SEARCH)
        gate.heard(*SEARCH, LOST)

    assert not goes(gate, SEARCH)
    assert "5 times in a row" in gate.trouble
    clock.at += FIRST_PAUSE
    assert [goes(gate, SEARCH), goes(gate, SEARCH)] == [True, False]
    gate.heard(*SEARCH, answer(502))
    for _ in range(10):
        clock.at += LONGEST_PAUSE
        assert goes(gate, SEARCH)
        gate.heard(*SEARCH, answer(502))
    clock.at += LONGEST_PAUSE - 1
    assert not goes(gate, SEARCH)
    clock.at += 1
    assert goes(gate, SEARCH)
    gate.heard(*SEARCH, FINE)
    assert (goes(gate, SEARCH), goes(gate, COMMENT), gate.trouble) == (True, True, "")


def test_failures_at_the_same_time_are_one(gate: Gate, clock: Hand) -> None:
    """Twenty requests that were on their way when Jira went down make the pause no longer."""
    for _ in range(20):
        gate.heard(*SEARCH, LOST)
    clock.at += FIRST_PAUSE

    assert [goes(gate, SEARCH), goes(gate, SEARCH)] == [True, False]
    gate.heard(*SEARCH, FINE)
    assert goes(gate, SEARCH)


def test_who_looks_and_never_comes_back_is_followed_by_another(gate: Gate, clock: Hand) -> None:
    """A look that was cancelled does not shut the gate for ever."""
    for _ in range(FAILURES):
        gate.heard(*SEARCH, LOST)
    clock.at += FIRST_PAUSE

    assert [goes(gate, SEARCH), goes(gate, SEARCH)] == [True, False]
    clock.at += LOOK
    assert goes(gate, SEARCH)


def test_a_failure_between_successes_shuts_nothing(gate: Gate) -> None:
    """Only failures in a row count."""
    for _ in range(3 * FAILURES):
        gate.heard(*SEARCH, LOST)
        gate.heard(*SEARCH, FINE)

    assert goes(gate, SEARCH)


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(answer(401, WWW_Authenticate='OAuth realm="x"'), id="401"),
        pytest.param(answer(200, X_Seraph_LoginReason="AUTHENTICATED_FAILED"), id="answered as to a stranger"),
        pytest.param(answer(403, X_Authentication_Denied_Reason="CAPTCHA_CHALLENGE"), id="captcha"),
    ],
)
def test_a_dead_login_is_tried_seldom(gate: Gate, clock: Hand, refusal: JiraAnswer) -> None:
    """Everything waits and says why; once in half a minute somebody knocks, and success opens at once."""
    gate.heard(*SEARCH, refusal)

    with pytest.raises(TrackerDenied, match="until the login works"):
        gate.check(*COMMENT)
    clock.at += LOCKED
    assert [goes(gate, SEARCH), goes(gate, SEARCH)] == [True, False]
    gate.heard(*SEARCH, FINE)
    assert goes(gate, SEARCH)


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(answer(403, b'{"errorMessages":["You may not."]}'), id="403"),
        pytest.param(answer(404), id="404"),
        pytest.param(
            answer(401, b'{"code":401,"message":"Unauthorized; scope does not match"}', WWW_Authenticate="x"),
            id="no scope",
        ),
        pytest.param(answer(401, b'{"errorMessages":["No Link Issue Permission."]}'), id="permission on Data Center"),
        pytest.param(answer(400), id="400"),
    ],
)
def test_what_is_refused_for_itself_holds_nothing_else(gate: Gate, refusal: JiraAnswer) -> None:
    """A missing right or a scope that a token lacks is a matter of that request alone."""
    gate.heard(*COMMENT, refusal)

    assert goes(gate, COMMENT)


class Together:
    """What all processes share, as a test says."""

    processes = 5

    def __init__(self, permit: Permit | None) -> None:
        self.permit = permit
        self.held: list[tuple[str, float, str]] = []
        self.asked: list[tuple[list[str], list[str]]] = []

    async def take(self, allowances: Sequence[Allowance], pauses: Sequence[str], patience: float) -> Permit | None:
        """As the test says."""
        del patience
        self.asked.append(([one.scope for one in allowances], list(pauses)))
        return self.permit

    async def hold(self, scope: str, seconds: float, why: str) -> None:
        """Note it."""
        self.held.append((scope, seconds, why))

    async def close(self) -> None:
        """Nothing is open."""


async def test_the_limit_of_all_processes_counts(clock: Hand) -> None:
    """A request takes its place among those of all processes, or hears when to come again."""
    together = Together(Permit(wait=1.5, granted=True))
    gate = Gate(clock, together)

    assert await gate.shared_turn(*COMMENT) == 1.5
    scopes = ["POST api/…/issue/…/comment", "issue OPS-7"]
    assert together.asked == [(scopes, ["", *scopes])]
    together.permit = Permit(wait=40.0, granted=False, why="429 elsewhere")
    with pytest.raises(TrackerBusy, match="429 elsewhere") as busy:
        await gate.shared_turn(*COMMENT)
    assert busy.value.retry_after == 40.0


async def test_its_part_while_nobody_can_be_asked(clock: Hand) -> None:
    """Of five processes each sends a fifth: two writes to one ticket at once instead of ten."""
    gate = Gate(clock, Together(None))
    waits = [await gate.shared_turn(*COMMENT) for _ in range(2)]

    with pytest.raises(TrackerBusy):
        await gate.shared_turn(*COMMENT)
    assert waits == [0.0, 0.0]


@pytest.mark.parametrize(
    ("said", "pause"),
    [
        pytest.param(answer(429, Retry_After="7"), ("POST api/…/issue", 7.0, "Retry-After"), id="429"),
        pytest.param(answer(503, Retry_After="120"), ("", 120.0, "maintenance"), id="503"),
        pytest.param(FINE, None, id="nothing to tell"),
    ],
)
async def test_a_pause_is_told(clock: Hand, said: JiraAnswer, pause: tuple[str, float, str] | None) -> None:
    """What Jira asks one process to wait, all hear of."""
    together = Together(None)
    gate = Gate(clock, together)
    if asked := gate.heard(*CREATE, said):
        await gate.share_pause(asked)

    assert together.held == ([pause] if pause else [])
