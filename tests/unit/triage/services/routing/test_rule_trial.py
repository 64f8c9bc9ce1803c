"""Another triage.yaml, tried on the mails that are here."""

from dataclasses import replace
from pathlib import Path

import pytest

from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock, full, opened, step
from tests.database import migrated
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid
from triage.policy.routing.table import RuleTable
from triage.services.case_reports import CaseReports
from triage.services.routing.route_tester import RouteTester
from triage.services.routing.rule_trial import RuleTrial
from triage.toolsets.context import Rules

EXPORTS = "routing: {rules: [{name: exports, match: {subject_contains: Export}, route: agent, profile: jira}]}"


def routed_by(text: str) -> RouteTester:
    """The tester of a triage.yaml."""
    return RouteTester(Rules(routing=RuleTable.of(config_of(text.encode()).rules)))


async def test_which_mails_would_go_elsewhere(tmp_path: Path) -> None:
    """Each read mail whose rule, way, profile, project or labels differ is named with both routes; the unread are counted."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    try:
        for number in (1, 2):
            leased = await opened(store, number)
            case = full(await leased.cases.load())
            await leased.cases.save(replace(case, message=None) if number == 2 else case, step())
        reports = CaseReports(archive=store.archive)
        trial = RuleTrial(reports=reports, now=lambda: routed_by(""), of_text=routed_by)
        found, same = await trial.of(EXPORTS, 10), await trial.of("", 10)
        with pytest.raises(SettingsInvalid):
            await trial.of("routing: {rulez: []}", 10)
    finally:
        await store.close()

    (moved,) = found.moved
    assert (moved.case, moved.now.rule, moved.then.rule) == ("case-1", "default", "exports")
    assert (found.tested, found.unread, same.moved) == (1, 1, ())
