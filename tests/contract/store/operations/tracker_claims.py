"""What every `TrackerClaims` must do."""

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from triage.domain.ports import TrackerClaims

OURS, THEIRS = "OPS at https://a.example", "WEB at https://b.example"


class TrackerClaimsContract:
    """One tracker for all workers on a database."""

    async def test_a_claim_is_of_one_tracker(self, store: SqlStore, clock: HeldClock) -> None:
        """The first claim stands while it is renewed or young; given up or grown old, it goes to the next."""
        claims: TrackerClaims = store.tracker_claims
        found = [await claims.claim(tracker, 60) for tracker in (OURS, THEIRS, OURS)]
        await clock.sleep(50)
        await claims.claim(OURS, 60)
        await clock.sleep(50)
        found.append(await claims.claim(THEIRS, 60))
        await claims.release(THEIRS)
        found.append(await claims.claim(THEIRS, 60))
        await clock.sleep(11)
        found.append(await claims.claim(THEIRS, 60))
        await claims.release(THEIRS)
        found.append(await claims.claim(OURS, 60))

        assert found == [OURS] * 5 + [THEIRS, OURS]

    async def test_a_look_claims_nothing(self, store: SqlStore, clock: HeldClock) -> None:
        """It names the tracker while the claim is young, before and after it nothing, and does not renew it."""
        claims: TrackerClaims = store.tracker_claims
        found = [await claims.claimed(60)]
        await claims.claim(OURS, 60)
        await clock.sleep(50)
        found.append(await claims.claimed(60))
        await clock.sleep(11)
        found.append(await claims.claimed(60))

        assert found == ["", OURS, ""]
