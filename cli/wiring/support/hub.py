"""Builds the support hub from settings and triage.yaml."""

from triage.config.settings import Settings
from triage.config.triage_yaml import Config
from triage.domain.ports import Library
from triage.pipeline.support_hub import SupportHub
from triage.policy.knowledge.answer import answer, judged
from triage.policy.support.classify import classify, configured
from triage.policy.support.priority import priority_of
from triage.policy.support.triggers import asks_for_person


def hub_of(settings: Settings, config: Config, library: Library | None = None) -> SupportHub | None:
    """Return the hub; None without ENABLE_SUPPORT."""
    if not settings.enable_support:
        return None
    return SupportHub(
        settings=config.support,
        classify=lambda subject, text: classify(subject, text, configured(config.support.categories)),
        asks_for_person=asks_for_person,
        priority=priority_of,
        library=library,
        answer=lambda question, hits, issue: answer(question, hits, issue_type=issue, scoring=config.support.scoring),
        judge=lambda question, hits, sentences, issue: judged(
            question, hits, sentences, issue_type=issue, scoring=config.support.scoring
        ),
    )
