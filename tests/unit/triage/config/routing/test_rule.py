"""A routing rule in triage.yaml: its conditions."""

from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import pattern_of
from triage.config.triage_yaml import config_of
from triage.domain.findings import Disposition
from triage.domain.mail import Kind, Trust


def test_all_conditions() -> None:
    """Every condition arrives in the rule, addresses and domains in lower case, header names too."""
    config = config_of(
        b"""
routing:
  rules:
    - name: all of them
      match:
        all: true
        sender_email: Ann@Partner.example
        sender_domain: "@Partner.example"
        subject_contains: "[INC"
        header_match: {X-Team: "^ops"}
        forwarded_from: info@pharmacy.example
      route: pipeline
"""
    )

    assert config.rules == (
        RoutingRule(
            name="all of them",
            all=True,
            sender_email="ann@partner.example",
            sender_domain="partner.example",
            subject_contains="[INC",
            header_match=(("x-team", pattern_of("^ops")),),
            forwarded_from="info@pharmacy.example",
        ),
    )


def test_conditions_of_one_value_or_several() -> None:
    """The newer conditions take one value or a list, in lower case where case does not count."""
    config = config_of(
        b"""
routing:
  rules:
    - name: r
      match:
        recipient: [Support@ours.example, "@Team.example"]
        mailbox: support
        kind: [human, list]
        disposition: question
        language: cs
        has_attachment: false
        trust_at_least: weak
        project: OPS
      route: pipeline
      labels: [vip]
"""
    )

    assert config.rules == (
        RoutingRule(
            name="r",
            recipient=("support@ours.example", "@team.example"),
            mailbox=("support",),
            kind=(Kind.HUMAN, Kind.LIST),
            disposition=(Disposition.QUESTION,),
            language=("cs",),
            has_attachment=False,
            trust_at_least=Trust.WEAK,
            in_project=("OPS",),
            labels=("vip",),
        ),
    )
