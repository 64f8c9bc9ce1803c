"""`triage doctor --jira`: turns the answers of a read-only probe of Jira into findings, also before a project is chosen."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.doctor import forms as doctor_forms
from cli.doctor import project as doctor_project
from cli.doctor import site as doctor_site
from cli.doctor.findings import Finding
from cli.doctor.forms import Visit
from triage.domain.errors import SettingsInvalid
from triage.services.setup.trials import Entrance

if TYPE_CHECKING:
    from integrations.jira.diagnostics.jira_probe import ProbeAnswer
    from triage.config.settings import Settings
    from triage.config.triage_yaml import Config

CLOCKS_AGREE: Final = 30.0
"""Seconds of clock skew that are fine."""
ENDS_SOON: Final = timedelta(days=30)
CHECKS_OF_PROJECT: Final = (
    doctor_project.rights,
    doctor_forms.forms,
    doctor_forms.required,
    doctor_forms.configured,
    doctor_forms.left_to_the_mail,
    doctor_project.words,
    doctor_project.workflow,
    doctor_project.people,
    doctor_project.search,
    doctor_project.sprints,
    doctor_project.service_desk,
)


async def findings_of(settings: "Settings", record: Path | None) -> tuple[Finding, ...]:
    """Run the probe and return its findings; write its answers to `record` if given. Raises `SettingsInvalid`."""
    from triage.config.triage_yaml import Config, load_config

    broken: tuple[Finding, ...] = ()
    config = Config()
    try:
        config = load_config(settings.triage_config)
    except SettingsInvalid as e:  # report it and check Jira all the same
        broken = (Finding("settings", "fail", str(e)),)
    seen, visit = await visited(settings, config, thorough=record is not None)
    found = tuple(findings(visit))
    written = (_recorded(record, seen, settings),) if record else ()
    return (*broken, *found, *written)


async def visited(
    settings: "Settings", config: "Config", *, thorough: bool = False
) -> "tuple[tuple[ProbeAnswer, ...], Visit]":
    """Run the probe; return its answers, and the facts in them that the checks read. Raises `SettingsInvalid` without Jira."""
    from cli.wiring.jira import jira_probe_of
    from integrations.jira.diagnostics.inspection import facts_of

    seen = await jira_probe_of(settings, thorough=thorough).walk()
    return seen, Visit(facts_of(seen), settings, config)


def _recorded(record: Path, seen: "Sequence[ProbeAnswer]", settings: "Settings") -> Finding:
    from integrations.jira.diagnostics.bundle import bundle_of

    secrets = (settings.jira_token.get_secret_value(), settings.jira_api_token.get_secret_value())
    try:
        project, kind = settings.jira_project_key, settings.jira_request_type
        text = bundle_of(seen, url=settings.jira_base_url, project=project, request_type=kind, secrets=secrets)
        record.write_text(text, encoding="utf-8")
    except OSError as e:
        return Finding("record", "fail", f"cannot write {record} ({e.strerror})", "name a file in a folder of yours")
    except ValueError as e:
        return Finding("record", "fail", f"{e}: nothing was written", "tell us of it, without the answer")
    detail = f"{len(seen)} answers in {record}; names, addresses and texts have stand-ins, types and statuses stay"
    return Finding("record", "ok", detail, "read it through before you give it away")


def findings(visit: Visit) -> Iterator[Finding]:
    """Yield all findings; stop early if the login does not work."""
    from integrations.jira.diagnostics.access import Access

    yield from server(visit)
    yield from login(visit)
    if visit.facts.access not in {Access.OURS, Access.SCOPED}:
        yield Finding("everything else", "warn", "not looked at: nothing that counts is shown to strangers")
        return
    yield from doctor_project.about(visit)
    for check in CHECKS_OF_PROJECT if visit.facts.project else ():
        yield from check(visit)
    yield from doctor_site.site(visit)
    yield from doctor_site.unread(visit)


# --- the server and we ------------------------------------------------------------------------
def server(visit: Visit) -> Iterator[Finding]:
    """Report deployment, version and clock."""
    server = visit.facts.server
    if not server.version:
        return  # the check of the login reports what came instead
    kind = "Cloud" if server.cloud else "Data Center or Server"
    yield Finding("server", "ok", f"Jira {kind} {server.version} at {server.url}")
    if server.skew is None:
        return
    if abs(server.skew) <= CLOCKS_AGREE:
        yield Finding("clock", "ok", "agrees with ours")
        return
    detail = f"{abs(server.skew):.0f} s {'ahead of' if server.skew > 0 else 'behind'} ours; that breaks nothing here"
    yield Finding("clock", "warn", detail, "set both by NTP, or times in logs and tickets cannot be compared")


def login(visit: Visit) -> Iterator[Finding]:
    """Report our account there, or why Jira refuses our login; warn of a token that expires soon."""
    from integrations.jira.diagnostics.access import Access

    facts = visit.facts
    match facts.access:
        case Access.OURS if facts.me:
            address = f", {facts.me.email}" if facts.me.email else ""
            yield Finding("login", "ok", f"we are {facts.me.name} ({facts.me.id}{address})")
        case Access.SCOPED:
            detail = "the token has no scope read:jira-user: what is ours after a lost answer cannot be told"
            yield Finding("login", "fail", detail, "make a token with that scope, too")
        case access:
            detail, cure = _REFUSALS[access]
            shown = facts.access_told.replace(f": {cure}", "") if cure else facts.access_told  # it stands below
            note = f" ({shown})" if shown else ""
            yield Finding("login", "fail", f"{detail}{note}", cure or _token_cure(visit))
    yield from _token_end(facts.token_ends)


def _token_end(ends: datetime | None) -> Iterator[Finding]:
    if ends and ends - datetime.now(UTC) < ENDS_SOON:
        cure = "make a new one in the account's profile and set JIRA_TOKEN before that day"
        yield Finding("token", "warn", f"ends on {ends:%Y-%m-%d}", cure)


def _token_cure(visit: Visit) -> str:
    server, settings = visit.facts.server, visit.settings
    if settings.jira_token:
        return "make a new personal access token in our account's profile and set JIRA_TOKEN"
    if server.version and not server.cloud:
        return "JIRA_EMAIL is our account's user name and JIRA_API_TOKEN its password; or set JIRA_TOKEN alone"
    return (
        "make a new API token as the account of JIRA_EMAIL (id.atlassian.com, Security) and set JIRA_API_TOKEN;\n"
        "one with scopes, or of a service account, works only with\n"
        f"JIRA_BASE_URL=https://api.atlassian.com/ex/jira/ID, and {server.url}/_edge/tenant_info tells the ID"
    )


_BASE: Final = (
    "check JIRA_BASE_URL: the address of the site as in the browser, with its context path (/jira) if it has one"
)
_REFUSALS: Final = {
    "refused": ("Jira refuses it: the token has ended or been withdrawn, or is another account's", ""),
    "stranger": ("Jira answers as to a stranger: the token is dead, and searches would find nothing", ""),
    "captcha": (
        "Jira wants a captcha solved, after wrong passwords",
        "log in once as our account in a browser, then mend the password here before the next try",
    ),
    "forbidden": (
        "Jira lets nobody in from here",
        "an administrator admits this machine's address (IP allow-list), and our account to the product",
    ),
    "page": (
        "a login page comes instead of an answer",
        "single sign-on stands before Jira's interface: let /rest pass with a token, or give the address behind it",
    ),
    "moved": ("the address sends us on, and with a token in hand we do not follow", _BASE),
    "not jira": ("what answers there is not Jira", _BASE),
    "away": (
        "Jira does not answer",
        "check the address (JIRA_BASE_URL), the network, proxies and firewalls on the way",
    ),
}
"""Text and cure by kind of failed login."""


async def entrance_of(settings: "Settings") -> Entrance:
    """Ask the Jira of the settings with their login, or without one; JIRA_PROJECT_KEY is not used."""
    from cli.doctor.forms import Visit
    from cli.wiring.jira import jira_entrance_of
    from triage.config.triage_yaml import Config

    facts = await jira_entrance_of(settings)
    visit = Visit(facts, settings, Config())
    versioned = bool(facts.server.version)
    return Entrance(
        found=versioned or facts.access in {"refused", "captcha", "forbidden"},
        reported=versioned,
        cloud=facts.server.cloud,
        let_in=facts.access in {"ours", "scoped"},
        projects=facts.projects,
        findings=(*server(visit), *login(visit)),
    )
