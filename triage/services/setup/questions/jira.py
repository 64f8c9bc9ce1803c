"""Asks for Jira: its address, our account, the token, the project."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from triage.domain.conversation import Json
from triage.policy.setup.jira_sites import is_cloud, project_in, sites_of
from triage.services.setup.asking import Asker
from triage.services.setup.draft import Draft
from triage.services.setup.trials import Demand, Entrance, Trials

CLOUD_TOKENS: Final = "https://id.atlassian.com/manage-profile/security/api-tokens"
PERSONAL_TOKENS: Final = (
    "{site}/secure/ViewProfile.jspa?selectedTab=com.atlassian.pats.pats-plugin:jira-user-personal-access-tokens"
)
PASSWORD: Final = "password"  # noqa: S105 - an answer
LISTED: Final = 20
NO_PROJECT: Final = (
    "The account sees no project. An administrator gives it Browse Projects, in the permission scheme of one."
)


class JiraQuestions:
    """The questions, in their order."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials

    async def address(self, ask: Asker, draft: Draft) -> Draft:
        """Ask where Jira is, and recognise Cloud or Data Center."""
        ask.heading("Jira")
        while True:
            text = await ask.text("Address of your Jira, as in the browser", draft["JIRA_BASE_URL"])
            sites = sites_of(text)
            if not sites:
                ask.say("That is no address. Copy it from the browser, such as https://acme.atlassian.net")
                continue
            site, seen = await site_among(self._trials, draft, sites)
            if seen.found:
                break
            ask.show(seen.findings[-1:])
        cloud = seen.cloud if seen.reported else is_cloud(site)
        if seen.reported:
            ask.show(seen.findings[:1])
        else:
            ask.say(f"A Jira that tells strangers nothing; by its address it is {'Cloud' if cloud else 'Data Center'}.")
        if site.startswith("http:") and not sites_of(text)[0].startswith("http:"):
            ask.say("! It answers without TLS alone: the token travels in clear.")
        return replace(draft.having(JIRA_BASE_URL=site), cloud=cloud, hinted=project_in(text))

    async def account(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the account of an API token; a personal access token (Data Center) is its account."""
        if not draft.cloud:
            return draft
        ask.say("Use an account of the bot's own: by it Triage knows its tickets again.")
        return await self._cloud_account(ask, draft)

    async def _cloud_account(self, ask: Asker, draft: Draft) -> Draft:
        while "@" not in (email := await ask.text("Mail address of that account", draft["JIRA_EMAIL"])):
            ask.say("Cloud knows accounts by their mail address.")
        return draft.having(JIRA_EMAIL=email)

    async def token(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the token until Jira lets us in; for the account, too, since Cloud refuses a wrong one in the same words."""
        site = draft["JIRA_BASE_URL"]
        ask.say(f"Make a token as that account: {CLOUD_TOKENS if draft.cloud else PERSONAL_TOKENS.format(site=site)}")
        while True:
            tried = await self._cloud_token(ask, draft) if draft.cloud else await self._personal_token(ask, draft)
            seen = await self._trials.entrance(tried, site)
            ask.show(
                seen.findings[-1:]
                if not seen.let_in
                else [one for one in seen.findings if one.what in {"login", "token"}]
            )
            if seen.let_in:
                return replace(tried, projects=seen.projects)
            if draft.cloud:
                draft = await self._cloud_account(ask, draft)

    async def _cloud_token(self, ask: Asker, draft: Draft) -> Draft:
        return draft.having(
            JIRA_API_TOKEN=await self._unbroken(ask, "API token", draft["JIRA_API_TOKEN"]), JIRA_TOKEN=""
        )

    async def _personal_token(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for a token, or for a user's name and password where Jira has no tokens."""
        answer = await self._unbroken(ask, f"Personal access token, or the word {PASSWORD}", draft["JIRA_TOKEN"])
        if answer != PASSWORD:
            return draft.having(JIRA_TOKEN=answer, JIRA_EMAIL="", JIRA_API_TOKEN="")
        user = await ask.text("User name", draft["JIRA_EMAIL"])
        return draft.having(
            JIRA_EMAIL=user, JIRA_API_TOKEN=await ask.secret("Password", draft["JIRA_API_TOKEN"]), JIRA_TOKEN=""
        )

    async def _unbroken(self, ask: Asker, question: str, kept: str) -> str:
        while len((answer := await ask.secret(question, kept)).split()) > 1:
            ask.say("A token has no blanks in it: copy it again.")
        return answer

    async def project(self, ask: Asker, draft: Draft) -> Draft:
        """Ask for the project, and say what we may not do there."""
        options = sorted(draft.projects.items())
        if not options:
            ask.say(NO_PROJECT)
        default = next((key for key in (draft["JIRA_PROJECT_KEY"], draft.hinted) if key in draft.projects), "")
        default = default or (options[0][0] if options else draft.hinted)
        if len(options) > LISTED:
            ask.say(f"It sees {len(options)} projects; the first {LISTED} are listed, others can be named.")
        while True:
            key = (await ask.choice("Project that gets the tickets", options[:LISTED], default, free=True)).upper()
            if not key.replace("_", "").isalnum() or not key[0].isalpha():
                ask.say("A key looks like OPS: capitals, digits, underscores.")
                continue
            if chosen := await self._allowed(ask, draft.having(JIRA_PROJECT_KEY=key)):
                return chosen

    async def _allowed(self, ask: Asker, draft: Draft) -> Draft | None:
        """Say what we may not do in the project, and ask for what it demands; None: another project is wanted."""
        while True:
            findings, open_ones = await self._trials.demands(draft)
            if ask.show(findings):
                filled = {one.name: await self._filled(ask, one) for one in open_ones}
                return replace(draft, fields={**draft.fields, **filled})
            options = (("again", "look once more"), ("other", "another project"), ("on", "go on all the same"))
            match await ask.choice("What now?", options, "again"):
                case "on":
                    return draft
                case "other":
                    return None

    async def _filled(self, ask: Asker, demand: Demand) -> Json:
        """Ask for the value that new tickets shall have in a field."""
        ask.say(f"Jira demands {demand.name} of each new ticket; what you answer is kept in triage.yaml.")
        options = [(choice, "") for choice in demand.choices[:LISTED]]
        while True:
            answer = await ask.choice(demand.name, options, demand.choices[0] if options else "", free=not options)
            with suppress(ValueError):
                return demand.value(answer)
            ask.say("That is no number.")


async def site_among(trials: Trials, draft: Draft, sites: Iterable[str]) -> tuple[str, Entrance]:
    """Return the first address at which a Jira tells what it is, else the first that looks like one, else the last."""
    stranger = draft.having(JIRA_EMAIL="", JIRA_API_TOKEN="", JIRA_TOKEN="")
    seen = []
    for site in sites:
        seen.append((site, await trials.entrance(stranger, site)))
        if seen[-1][1].reported:
            return seen[-1]
    return next((one for one in seen if one[1].found), seen[-1])
