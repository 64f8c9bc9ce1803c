"""`triage doctor`: checks mailbox, Jira, model and database for real, and prints each problem with its cure."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.doctor.findings import Finding, State, many, show
from cli.doctor.letters import letters
from cli.doctor.mail import mailboxes, reading, signatures, tokens
from cli.doctor.model import model
from cli.doctor.people import approvers, notices, sign_in
from cli.doctor.store import archive, database
from cli.verb import AsJson
from triage.domain.errors import ProjectHidden, SettingsInvalid, TriageError
from triage.domain.operations.checks import SettingProblem

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.domain.retrieval import IndexState
    from triage.services.checks import TrackerCheck
    from triage.services.ticket_index_sync import TicketOverview

WRONG_SETTINGS: Final = 2
"""The exit code if wrong settings prevent all checks."""

LOOKED_AT: Final = 20
"""How many of the latest cases the check of routing rules reads."""
Look = Callable[["Settings"], AsyncIterator[Finding]]
"""A check; yields findings and may raise `TriageError`."""

Jira = Annotated[bool, typer.Option("--jira", help="Check Jira alone, in depth.")]
SettingsList = Annotated[
    bool, typer.Option("--settings", help="Only list all settings, with defaults and what they are for.")
]
Lines = Annotated[
    bool, typer.Option("--lines", hidden=True, help="For the console: a line of JSON for each, as it is found.")
]
Record = Annotated[
    Path | None,
    typer.Option(metavar="FILE", dir_okay=False, help="With --jira: save Jira's answers there, made anonymous."),
]


def doctor(
    as_json: AsJson = False,
    jira: Jira = False,
    settings_list: SettingsList = False,
    lines: Lines = False,
    record: Record = None,
) -> None:
    """Check the set-up and name the cure of each problem.

    Settings, word lists, database, Jira, model, mailboxes, queue and webhooks. Exit code 1 if something must be fixed.
    """
    if settings_list:
        from cli.setup.settings_list import print_settings

        print_settings(as_json=as_json)
        return
    from triage.config.settings import read
    from triage.config.word_lists import word_lists

    try:
        settings = read()
        word_lists()
    except SettingsInvalid as e:
        wrong = (*map(_of_file, e.problems), *_of_settings(e.settings, "fail"), *_of_settings(e.warnings, "warn"))
        for finding in wrong if lines else ():
            _print_line(finding)
        if not lines:
            show(wrong, as_json=as_json)
        raise typer.Exit(WRONG_SETTINGS) from None
    looks = (partial(_probe, record=record),) if jira or record else LOOKS
    warnings = tuple(_of_settings(settings.warnings, "warn"))
    if lines:
        raise typer.Exit(asyncio.run(_print_findings(settings, looks, warnings)))
    found = asyncio.run(examined(settings, looks))
    raise typer.Exit(show((*warnings, *found), as_json=as_json))


def _of_file(problem: str) -> Finding:
    file, _, detail = problem.partition(": ")
    return Finding(file, "fail", detail)


def _of_settings(problems: "Iterable[SettingProblem]", state: State) -> Iterator[Finding]:
    for one in problems:
        yield Finding(one.name, state, f"{one.place}: {one.text}" if one.place else one.text)


async def examined(settings: "Settings", looks: "Iterable[Look] | None" = None) -> list[Finding]:
    """Run all checks, or these."""
    return [finding async for finding in _found(settings, LOOKS if looks is None else looks)]


async def _print_findings(settings: "Settings", looks: "Iterable[Look]", first: Iterable[Finding]) -> int:
    """Print each finding as soon as it is made; return the exit code."""
    failed = False
    for finding in first:
        _print_line(finding)
    async for finding in _found(settings, looks):
        _print_line(finding)
        failed = failed or finding.state == "fail"
    return int(failed)


def _print_line(finding: Finding) -> None:
    import json

    typer.echo(json.dumps(asdict(finding)))


async def _found(settings: "Settings", looks: "Iterable[Look]") -> AsyncIterator[Finding]:
    """Run the checks; an error becomes a finding, once for all checks that meet it, as they meet a broken `triage.yaml`."""
    met: set[str] = set()
    for look in looks:
        try:
            async for finding in look(settings):
                yield finding
        except TriageError as e:
            if str(e) not in met:
                yield Finding(getattr(look, "__name__", "jira").strip("_"), "fail", str(e))
            met.add(str(e))


async def _config(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.agents.profiles import agents_of
    from triage.config.triage_yaml import load_config

    config = load_config(settings.triage_config)
    profiles = agents_of(settings, config).profiles
    yield Finding(
        "settings", "ok", f"{many(len(config.rules), 'routing rule')}, profiles: {', '.join(sorted(profiles))}"
    )


async def _mcp_servers(settings: "Settings") -> AsyncIterator[Finding]:
    """Tell what each MCP server offers, and whether it is what was confirmed."""
    from cli.wiring.agents.mcp import compare_tools
    from triage.config.triage_yaml import load_config

    for server in load_config(settings.triage_config).mcp_servers:
        async for well, text, shown in compare_tools(server):
            yield Finding(f"mcp {server.name}", "ok" if well else "fail", text, shown)


async def _routing(settings: "Settings") -> AsyncIterator[Finding]:
    """Report routing rules that no mail reaches or nothing can prove, and recent mails that lacked the proof."""
    from cli.wiring.rules import rules_of
    from cli.wiring.store import open_reports
    from triage.config.triage_yaml import load_config
    from triage.services.routing.route_tester import RouteTester

    config = load_config(settings.triage_config)
    for detail in RouteTester(rules_of(settings, config)).warnings():
        yield Finding("routing", "warn", detail)
    if not any(rule.names_sender or rule.forwarded_from for rule in config.rules):
        return
    async with open_reports(settings) as reports:
        cases = [report.case for report in await reports.latest(LOOKED_AT)]
    lacked = {detail: case.id for case in cases if case.route for detail in case.route.passed_over}
    for detail, name in lacked.items():
        yield Finding("routing", "warn", f"{name} did not take rule {detail}")


async def _tickets(settings: "Settings") -> AsyncIterator[Finding]:
    """Report how much of the project is stored, and whether this host's search index answers."""
    from cli.wiring.index import open_syncs

    if not settings.jira_ready:
        return
    async with open_syncs(settings) as syncs:
        overviews = [await syncing.overview(project) for project, syncing in syncs.items()]
    for known in overviews:
        for finding in _known(known):
            yield finding


def _known(known: "TicketOverview") -> "Iterator[Finding]":
    if known.lowest is None:
        text = f"none of {known.project} is read yet: a worker reads the whole history when it starts"
        yield Finding("tickets", "ok", text)
        return
    if not known.complete:
        detail = f"read down to {known.project}-{known.lowest}: older duplicates are missed"
        yield Finding("tickets", "warn", detail, "triage work reads on, or: triage sync")
    yield _index(known.index)


def _index(state: "IndexState") -> Finding:
    from triage.domain.retrieval import IndexHealth

    if state.health is IndexHealth.READY:
        line = f"{many(state.tickets, 'ticket')}, {state.size / 2**20:.1f} MB in {state.folder}"
        return Finding(
            "search index", "ok", line + (f", {many(state.behind, 'change')} behind" if state.behind else "")
        )
    if state.health is IndexHealth.BUILDING:
        detail = f"none in {state.folder} ({state.trouble}): only Jira and the latest changes are searched"
        return Finding("search index", "warn", detail, "triage work builds it, or: triage sync --rebuild")
    detail = f"{state.folder} cannot be written: only Jira and the latest changes are searched"
    return Finding("search index", "fail", detail, "let Triage write there, or set TICKET_INDEX_DIR to another folder")


async def _jira(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.jira import open_tracker_checks
    from triage.config.triage_yaml import Config, load_config

    config = Config()
    with suppress(SettingsInvalid):  # reported by another check; check Jira all the same
        config = load_config(settings.triage_config)
    try:
        async with open_tracker_checks(settings, config) as checks:
            for tracker in checks.values():
                async for finding in _project(tracker):
                    yield finding
    except ProjectHidden as e:
        where = "JIRA_PROJECT_KEY" if e.key == settings.jira_project_key else "`project` in triage.yaml"
        why = f" ({e.detail})" if e.detail else ""
        detail = f"no project {e.key} for our account{why}: check {where}, and that it may browse the project"
        yield Finding("jira", "fail", detail)


async def _project(tracker: "TrackerCheck") -> AsyncIterator[Finding]:
    """Report what a project lacks. Raises `ProjectHidden` if our account cannot see it."""
    project, latest = await tracker.project(), await tracker.latest()
    yield Finding("jira", "ok", f"{project.key} ({project.name}), {len(project.people)} assignable people")
    if project.people_cut:
        detail = "Jira lists no or not all people who can be given tickets: our account needs Browse users and groups, and long lists are cut"
        yield Finding("people", "warn", detail)
    found = f"finds tickets; {latest} changed last" if latest else "no ticket yet"
    yield Finding("search", "ok" if latest else "warn", found)
    for issue_type, fields in project.required.items():
        if fields:
            cure = "set what tickets shall carry there under jira.fields in triage.yaml"
            yield Finding(f"issue type {issue_type}", "warn", f"Jira demands {', '.join(fields)}: {cure}")
    if not any(status.category == "done" for status in project.statuses):
        yield Finding("workflow", "warn", "no status means done: fixed tickets cannot be proposed for closing")


async def _team(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.jira import open_tracker_checks
    from triage.config.triage_yaml import load_assignment, load_config
    from triage.policy.people.members import unclear

    team = load_assignment(load_config(settings.triage_config), settings.team_file).team
    if not settings.enable_smart_assignment and not any(member.address for member in team):
        return
    async with open_tracker_checks(settings) as checks:
        tracker = checks[settings.jira_project_key]
        people, recent = (await tracker.project()).people, await tracker.recently_assigned()
    if settings.enable_smart_assignment:
        yield Finding("assignment", "ok", f"{len(team)} in the team's file, learning from {len(recent)} recent tickets")
    for person, detail in unclear(team, people):
        yield Finding(f"team, {person}", "warn", detail)


async def _memory(settings: "Settings") -> AsyncIterator[Finding]:
    """Report how many notes the vault holds, whether it can be written, and which files are no notes."""
    from cli.wiring.memory.notes import notes_of, vault_folder

    if not settings.enable_memory:
        return
    notes = notes_of(settings)
    stats, problems = await notes.stats(), await notes.problems()
    yield Finding("memory", "ok", f"{many(stats.notes, 'note')} in {vault_folder(settings)}")
    await notes.ready()
    for problem in problems[:LOOKED_AT]:
        yield Finding("memory", "warn", f"{problem.path}:{problem.line}: {problem.what}", "correct the file by hand")


async def _calendars(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.people.calendar import calendar_of, contacts_of
    from triage.config.triage_yaml import load_config
    from triage.domain.calendar.periods import Period

    config, now = load_config(settings.triage_config), datetime.now(UTC)
    if calendar := calendar_of(config):
        busy = await calendar.busy(Period(now, now + timedelta(days=7)))
        text = f"{len(config.calendars)} answer, {len(busy)} busy periods in the next 7 days ({config.hours.zone})"
        yield Finding("calendars", "ok", text)
    if contacts := contacts_of(config):
        await contacts.find("nobody@triage.invalid")
        yield Finding("contacts", "ok", "the directories answer")


async def _redis(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.notifier import redis_trouble

    url = settings.redis_url.get_secret_value()
    if not url:
        yield Finding("queue", "ok", "in the database, no Redis")
        return
    trouble = await redis_trouble(url)
    text = f"Redis does not answer us: check REDIS_URL ({trouble})" if trouble else "Redis answers"
    yield Finding("queue", "fail" if trouble else "ok", text)


async def _webhooks(settings: "Settings") -> AsyncIterator[Finding]:
    from cli.wiring.mailboxes import configured_mailboxes
    from webhooks.providers.table import providers_of

    if names := [provider.name for provider in providers_of(settings)]:
        yield Finding("webhooks", "ok", f"open: {', '.join(names)}")
    elif configured_mailboxes(settings):
        yield Finding("webhooks", "ok", "none is open; mail comes from the mailbox")
    else:
        yield Finding("webhooks", "warn", "none is open, and no mailbox is watched: set WEBHOOK_SECRET or IMAP_HOST")


async def _probe(settings: "Settings", *, record: Path | None) -> AsyncIterator[Finding]:
    from cli.doctor.jira import findings_of

    for finding in await findings_of(settings, record):
        yield finding


LOOKS: Final[tuple[Look, ...]] = (
    _config,
    database,
    archive,
    _tickets,
    reading,
    _routing,
    _jira,
    _team,
    _memory,
    model,
    _redis,
    _webhooks,
    _calendars,
    _mcp_servers,
    notices,
    tokens,
    signatures,
    mailboxes,
    letters,
    approvers,
    sign_in,
)
"""All checks, in the order of the output."""
