"""Each module's test is found by its name: the folders of tests mirror those of the product."""

import ast
from pathlib import Path

from tests.conftest import ROOT

MODULES = sorted(
    str(path.relative_to(ROOT))
    for room in ("triage", "cli", "integrations", "web", "webhooks", "tests/training")
    for path in (ROOT / room).rglob("*.py")
    if path.name != "__init__.py" and "migrations" not in path.parts
)
REACHES = ("unit", "contract", "e2e")
ROOMS = {
    "integrations/sql/leadership/": "contract/leadership/test_leaderships.py",
    "integrations/sql/": "contract/store/test_sqlite_store.py",
    "integrations/objects/": "contract/objects/test_object_stores.py",
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
    "integrations/request_pacer.py": "contract/limits/test_limits.py",
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
    "web/context.py": "e2e/web/test_lazy_app.py",
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
    "triage/pipeline/related_ticket/thread_ticket.py": "e2e/mail/test_late_mails.py",
    "triage/pipeline/steps/": "unit/triage/pipeline/test_steps.py",
    "cli/approvals/": "e2e/service/approvals/test_autonomy.py",
    "cli/cases/": "e2e/cli/cases/test_cases.py",
    "cli/wiring/": "e2e/cli/mail/test_process.py",
    "cli/doctor/": "e2e/cli/doctor/test_jira.py",
    "cli/memory/": "unit/cli/memory/test_build.py",
    "cli/setup/": "e2e/cli/setup/test_command.py",
    "triage/services/setup/trials.py": "e2e/triage/services/setup/questions/test_jira.py",
    "triage/services/memory/build/": "unit/triage/services/memory/build/test_service.py",
}
"""Rooms whose modules are tested together: an adapter by the contract of its port, nouns and steps by one table."""


def mirrored(module: str) -> bool:
    """Whether a test of the module's name stands in the module's folder below one of the reaches."""
    path = Path(module.removeprefix("tests/"))
    return any((ROOT / "tests" / reach / path.parent / f"test_{path.stem}.py").exists() for reach in REACHES)


def in_a_room(module: str) -> bool:
    """Whether the module belongs to a room that is tested as a whole."""
    return any(module.startswith(room) for room in ROOMS)


def only_names_data(module: str) -> bool:
    """Whether the module has no function with a body: types, protocols and constants have nothing to run."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = (node for node in ast.walk(ast.parse((ROOT / module).read_bytes())) if isinstance(node, functions))
    return all(
        isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) for one in found for line in one.body
    )


def test_a_module_has_a_test_of_its_name() -> None:
    """A stranger finds the test of a module without a search: write tests/unit/…/test_NAME.py, or below contract or e2e."""
    others = [module for module in MODULES if not mirrored(module) and not in_a_room(module)]

    assert [module for module in others if not only_names_data(module)] == []


def test_rooms_and_their_tests_exist() -> None:
    """The table names rooms and files of tests that are there."""
    assert [room for room in ROOMS if not (ROOT / room).exists()] == []
    assert [test for test in ROOMS.values() if not (ROOT / "tests" / test).is_file()] == []
