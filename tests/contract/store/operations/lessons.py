"""What every store must do with what corrections teach."""

import pytest

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, opened
from triage.domain.approvals import Correction
from triage.domain.findings import Disposition
from triage.domain.operations.errors import LessonNotFound


class LessonsContract:
    """Corrections that count for later mails, until a person takes them back."""

    async def test_lessons(self, store: SqlStore, clock: HeldClock) -> None:
        """The latest first; one that names neither sender nor words teaches nothing, nor does one that says `unsure`."""
        await opened(store)
        said = (
            Correction(case="case-1", disposition=Disposition.SPAM, by="ada", sender="a@example.com", trust="verified"),
            Correction(case="case-1", disposition=Disposition.QUESTION, by="bea", sketch="1:2"),
            Correction(case="case-1", disposition=Disposition.UNSURE, by="cy", sender="c@example.com"),
            Correction(case="case-1", disposition=Disposition.WORK, by="dot"),
        )
        first, second, unsure, _ = [await store.decisions.correct(one) for one in said]
        assert await store.decisions.lessons(10) == (second, first)
        assert await store.decisions.lessons(1) == (second,)
        assert await store.decisions.unlearn(first.id) == first
        assert await store.decisions.lessons(10) == (second,)
        for number in (first.id, unsure.id, 99):
            with pytest.raises(LessonNotFound):
                await store.decisions.unlearn(number)

        assert [one.by for one in (await store.archive.report("case-1")).corrections] == ["ada", "bea", "cy", "dot"]

    async def test_a_later_mail_hears_no_dropped_lesson(self, store: SqlStore) -> None:
        """Neither the sender nor the words of it are found again."""
        await opened(store, 1)
        said = Correction(case="case-1", disposition=Disposition.SPAM, by="ada", sender="a@example.com", sketch="1:2")
        made = await store.decisions.correct(said)
        await store.decisions.unlearn(made.id)
        later = await opened(store, 2)

        assert [(one.sender, one.sketch) for one in await later.history.examples("a@example.com")] == [("", "")]
