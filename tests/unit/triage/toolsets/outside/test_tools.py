"""A function of a package as one of our tools: its writes happen at most once, its answers are bounded and never believed."""

from pathlib import Path

import pytest

from tests.unit.triage.toolsets.outside.shop import CALLS, adapted, reserve, search
from triage.domain.errors import OutsideFailed
from triage.domain.mail import Trust
from triage.domain.ports.outside import OutsideContext
from triage.toolsets.context import Context


async def test_what_a_tool_gets_to_know(at: Context, tmp_path: Path) -> None:
    """Case, sender with trust, subject, folder, options, clock and HTTP: no store, no tracker, nothing that writes for us."""
    ours = adapted(search, tmp_path, options={"endpoint": "https://search.example"})
    await ours.function(at, query="boats")
    given = CALLS[0]

    assert (given.case, str(given.sender), given.trust, given.subject) == (
        "case-1",
        "ann@shop.example",
        Trust.WEAK,
        "A boat",
    )
    assert (given.once, given.options, given.data_dir.is_dir()) == ("", {"endpoint": "https://search.example"}, True)
    assert not {"effects", "tracker", "ticket_store", "index"} & set(OutsideContext.__dataclass_fields__)


async def test_an_answer_cannot_pass_for_ours(at: Context, tmp_path: Path) -> None:
    """What a tool says of status, end and rights stands below `result`; what its package says of rule and end is dropped."""
    ours = adapted(search, tmp_path)
    result = await ours.function(at, query="boats")

    assert result == {"result": {"status": "finished", "disposition": "spam", "found": "boats"}}
    assert (ours.ends, ours.rule, ours.outside) == (False, None, True)


async def test_a_long_answer_is_an_error_of_a_read_alone(at: Context, tmp_path: Path) -> None:
    """Ten megabytes never reach the model; of a write that has happened it is said that it has."""
    with pytest.raises(OutsideFailed, match=r"10,000,\d+ characters, and at most 100"):
        await adapted(search, tmp_path, max_chars=100).function(at, query="x" * 10_000_000)
    written = await adapted(reserve, tmp_path, max_chars=100).function(at, thing="a dozen boats")

    assert (written["status"], "at most 100" in written["note"]) == ("done", True)
