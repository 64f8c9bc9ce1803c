"""Each module's test is found by its name: the folders of tests mirror those of the product."""

from pathlib import Path

import pytest

from tests.conftest import ROOT

MODULES = sorted(
    str(path.relative_to(ROOT))
    for room in ("triage", "cli", "integrations", "web", "webhooks")
    for path in (ROOT / room).rglob("*.py")
    if path.name != "__init__.py" and "migrations" not in path.parts
)
REACHES = ("unit", "contract", "e2e")
ROOMS = {
    "integrations/sql/leadership/": "contract/leadership/test_leaderships.py",
    "integrations/sql/": "contract/store/test_sqlite_store.py",
    "integrations/search_index/": "unit/integrations/search_index/test_index.py",
    "integrations/jira/": "contract/tracker/test_jira_tracker.py",
    "integrations/imap/": "contract/mailbox/test_imap_mailbox.py",
    "integrations/calendar/": "contract/calendar/test_calendars.py",
    "integrations/dav/": "contract/calendar/test_calendars.py",
    "integrations/articles/": "contract/articles/test_sources.py",
    "integrations/contacts/": "contract/contacts/test_contacts.py",
    "integrations/mail_directory/": "unit/integrations/mail_directory/test_directory.py",
    "integrations/smtp/": "contract/outbox/test_smtp_outbox.py",
    "integrations/models/": "contract/model/test_models.py",
    "integrations/redis_limits.py": "contract/limits/test_limits.py",
    "integrations/own_part.py": "contract/limits/test_limits.py",
    "integrations/token_bucket.py": "contract/limits/test_limits.py",
    "integrations/arq_queue.py": "contract/notifier/test_notifiers.py",
    "integrations/local_notifier.py": "contract/notifier/test_notifiers.py",
    "integrations/oidc/": "unit/integrations/oidc/test_provider.py",
    "integrations/mail_oauth/": "unit/triage/services/mail_oauth/test_sign_in.py",
    "integrations/vault/": "contract/vault/test_markdown_vault.py",
    "integrations/dkim/": "unit/integrations/dkim/test_check.py",
    "integrations/mime/": "unit/integrations/mime/test_corpus.py",
    "integrations/parser_process/": "unit/integrations/parser_process/test_process.py",
    "web/api/": "e2e/web/api/test_rights.py",
    "web/console/": "e2e/web/console/test_console.py",
    "web/setup/": "e2e/web/setup/test_app.py",
    "web/live/": "e2e/web/api/test_events.py",
    "web/context.py": "e2e/web/test_room.py",
    "web/frame.py": "e2e/web/api/test_rights.py",
    "triage/toolsets/tickets/public.py": "e2e/web/mcp/test_mcp.py",
    "triage/services/mcp/": "unit/triage/services/mcp/test_session.py",
    "web/mcp/": "e2e/web/mcp/test_mcp.py",
    "cli/mcp/": "e2e/web/mcp/test_mcp.py",
    "triage/services/case_lists/": "e2e/web/console/test_bulk.py",
    "triage/domain/": "unit/triage/domain/test_nouns.py",
    "triage/toolsets/memory/": "unit/triage/toolsets/memory/test_tools.py",
    "triage/config/environment/": "unit/triage/config/test_settings.py",
    "triage/config/shapes/": "unit/triage/config/test_triage_yaml.py",
    "triage/pipeline/steps/": "unit/triage/pipeline/test_steps.py",
    "cli/approvals/": "e2e/service/approvals/test_autonomy.py",
    "cli/cases/": "e2e/cli/test_commands.py",
    "cli/wiring/": "e2e/cli/test_commands.py",
    "cli/doctor/": "e2e/cli/doctor/test_jira.py",
    "cli/memory/": "unit/cli/memory/test_build.py",
    "cli/setup/": "e2e/cli/setup/test_command.py",
    "triage/services/setup/trials.py": "e2e/triage/services/setup/questions/test_jira.py",
    "triage/services/memory/build/": "unit/triage/services/memory/build/test_service.py",
}
"""Rooms whose modules are tested together: an adapter by the contract of its port, nouns and steps by one table."""
NOT_YET = {
    "cli/__main__.py": "e2e/cli/test_commands.py",
    "cli/agents.py": "e2e/cli/test_commands.py",
    "cli/demo/prompt_reader.py": "unit/triage/toolsets/test_prompt.py",
    "cli/evaluate/assignment.py": "unit/cli/evaluate/test_backtest.py",
    "cli/mail/process.py": "e2e/cli/test_commands.py",
    "cli/service/backup.py": "e2e/service/test_operations.py",
    "cli/service/duties.py": "e2e/triage/pipeline/test_worker.py",
    "cli/service/listening.py": "e2e/cli/service/test_serve.py",
    "cli/service/process.py": "e2e/triage/pipeline/test_worker.py",
    "cli/service/work.py": "e2e/triage/pipeline/test_worker.py",
    "triage/agent/profiles.py": "house/test_plan.py",
    "triage/config/agents/profiles.py": "unit/triage/config/test_triage_yaml.py",
    "triage/config/agents/tools.py": "unit/triage/config/test_triage_yaml.py",
    "triage/config/routing/rule.py": "unit/triage/policy/routing/test_route.py",
    "triage/config/setting_sources.py": "unit/triage/config/test_settings.py",
    "triage/config/team.py": "unit/triage/config/test_team_shapes.py",
    "triage/config/variables.py": "unit/triage/config/test_settings.py",
    "triage/pipeline/context.py": "e2e/service/test_backlog.py",
    "triage/pipeline/runner.py": "e2e/service/test_trouble.py",
    "triage/pipeline/scope.py": "e2e/triage/toolsets/people/test_ranking.py",
    "triage/toolsets/tickets/withdrawing.py": "e2e/triage/pipeline/test_undoing.py",
    "triage/pipeline/overtaken.py": "e2e/service/approvals/test_autonomy.py",
    "triage/config/autonomy/table.py": "unit/triage/policy/approvals/test_autonomy.py",
    "triage/pipeline/waiting.py": "e2e/mail/test_copies.py",
    "triage/policy/decision/decided.py": "unit/triage/policy/decision/test_review.py",
    "triage/policy/decision/playbook.py": "unit/triage/toolsets/tickets/test_playbook.py",
    "triage/services/letters/ticket_letters.py": "e2e/mail/letters/test_replies.py",
    "triage/services/routing/route_tester.py": "e2e/cli/mail/test_route.py",
    "triage/services/checks.py": "e2e/cli/doctor/test_jira.py",
    "triage/services/ticket_events.py": "e2e/webhooks/test_jira_events.py",
    "triage/services/mailbox_sync.py": "e2e/triage/services/test_mailbox_watch.py",
    "triage/services/sweeper.py": "e2e/cli/service/test_sweep.py",
    "triage/toolsets/calendar/tools.py": "unit/triage/agent/test_run.py",
    "triage/toolsets/context.py": "unit/triage/toolsets/tickets/test_linking.py",
    "triage/toolsets/outside/effects.py": "unit/triage/toolsets/outside/test_tools.py",
    "triage/toolsets/people/tools.py": "e2e/triage/toolsets/people/test_ranking.py",
    "triage/toolsets/playbook.py": "unit/triage/toolsets/tickets/test_playbook.py",
    "triage/toolsets/sprints/effects.py": "e2e/triage/toolsets/sprints/test_tools.py",
    "triage/toolsets/sprints/rules.py": "house/test_plan.py",
    "triage/toolsets/table.py": "house/test_plan.py",
    "triage/toolsets/tickets/account.py": "unit/triage/toolsets/test_outcome.py",
    "triage/toolsets/tickets/effects.py": "unit/triage/effects/test_writer.py",
    "triage/toolsets/tickets/facts.py": "unit/triage/toolsets/test_prompt.py",
    "triage/toolsets/tickets/pictures.py": "e2e/jira/test_attach.py",
    "triage/toolsets/tickets/tools.py": "unit/triage/agent/test_toolbox.py",
    "triage/toolsets/toolset.py": "unit/triage/toolsets/test_prompt.py",
    "webhooks/app.py": "e2e/webhooks/test_inbound.py",
    "webhooks/forms.py": "e2e/webhooks/providers/test_mailgun.py",
    "webhooks/providers/base.py": "e2e/webhooks/test_inbound.py",
    "webhooks/providers/postmark.py": "e2e/webhooks/test_webhook_torn.py",
    "webhooks/sns.py": "e2e/webhooks/providers/test_ses.py",
    "triage/policy/sender/machine_patterns.py": "unit/triage/policy/sender/test_kind.py",
}
"""Modules without a test of their own name, each with the test that runs it. This table only shrinks."""


def mirrored(module: str) -> bool:
    """Whether a test of the module's name stands in the module's folder below one of the reaches."""
    path = Path(module)
    return any((ROOT / "tests" / reach / path.parent / f"test_{path.stem}.py").exists() for reach in REACHES)


def in_a_room(module: str) -> bool:
    """Whether the module belongs to a room that is tested as a whole."""
    return any(module.startswith(room) for room in ROOMS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_a_test_of_its_name(module: str) -> None:
    """A stranger finds the test of a module without a search."""
    wanted = Path(module).with_name(f"test_{Path(module).stem}.py")
    cure = f"write tests/unit/{wanted} (or tests/contract/…, tests/e2e/…); NOT_YET takes nothing new"

    assert mirrored(module) or in_a_room(module) or module in NOT_YET, cure


def test_the_table_of_misses_only_shrinks() -> None:
    """A row goes when its module has a test of its own name, or is gone."""
    done = sorted(module for module in NOT_YET if module not in MODULES or mirrored(module) or in_a_room(module))

    assert done == [], f"remove from NOT_YET: {done}"


@pytest.mark.parametrize("test", sorted({*ROOMS.values(), *NOT_YET.values()}))
def test_a_named_test_exists(test: str) -> None:
    """The tables name files that are there."""
    assert (ROOT / "tests" / test).is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_exists(room: str) -> None:
    """The table names rooms that are there."""
    assert (ROOT / room).exists()
