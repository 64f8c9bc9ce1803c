"""Builds what the steps of a pipeline get for one case."""

from collections.abc import Awaitable, Callable

from cli.wiring.agents.live_config import Rebuilt
from cli.wiring.letters import texts_of
from cli.wiring.operations import spending_of
from cli.wiring.people.calendar import sources_of
from cli.wiring.support.knowledge import library_of
from cli.wiring.work.connections import Connections
from triage.domain.cases import Case
from triage.domain.ports import LeasedCase
from triage.effects.letter_writer import LetterWriter
from triage.pipeline.context import Services
from triage.services.channels.notices import Notices

Answers = Callable[[Case, str], Awaitable[str | None]]


class CaseServices:
    """Builds the services of a case that the worker has leased, with the configuration as it is then."""

    def __init__(self, at: Connections, notices: Notices, writer: LetterWriter | None, answers: Answers | None) -> None:
        """Build what all cases share. Raises `SettingsInvalid`."""
        settings, config = at.settings, at.live.config
        capped = settings.max_cost_per_month is not None
        self._at, self._writer, self._answers = at, writer, answers
        self._texts, self._sources = texts_of(settings, config), Rebuilt(sources_of, config)
        self._library = library_of(at.store.articles)
        self._used_up = spending_of(settings, at.store, notices.tell).used_up if capped else None

    def __call__(self, leased: LeasedCase) -> Services:
        at, store, views = self._at, self._at.store, self._at.tracker.views()
        agents, rules = at.live.current()
        calendar, contacts = self._sources.of(at.live.config)
        return Services(
            rules=rules,
            toolbox=agents.toolbox,
            profiles=agents.profiles,
            model=at.models if at.models.any else None,
            budget_used_up=self._used_up,
            cases=leased.cases,
            journal=leased.journal,
            ledger=leased.ledger,
            threads=leased.threads,
            throttle=leased.throttle,
            approvals=leased.approvals,
            history=leased.history,
            dialogue=leased.dialogue,
            tracker=views[at.settings.jira_project_key],
            projects=views if len(views) > 1 else {},
            ticket_store=store.tickets,
            index=at.index,
            people_index=store.people_index,
            reader=at.reader,
            signatures=at.signatures,
            calendar=calendar,
            contacts=contacts,
            library=self._library if at.live.config.knowledge.sources else None,
            support=at.live.config.support if at.settings.enable_support else None,
            letters=self._writer,
            texts=self._texts,
            answers=self._answers,
            clock=store.clock,
            secret=at.secret,
            failpoint=at.context.failpoint,
        )
