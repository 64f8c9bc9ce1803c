"""triage.yaml: what it may say, and how its mistakes are told."""

import re
from pathlib import Path

import pytest

from cli.wiring.agents.profiles import agents_of
from triage.config.agents.profiles import ProfileSpec
from triage.config.routing.rule import RoutingRule
from triage.config.routing.safe_regex import NESTED
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config, config_of, load_config
from triage.domain.errors import SettingsInvalid
from triage.domain.findings import PipelineName
from triage.domain.mail import Address, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.routing.conditions import Proof, RouteFacts
from triage.policy.routing.route import route_of
from triage.policy.routing.table import RuleTable
from triage.toolsets.table import toolbox

ROOT = Path(__file__).parents[4]

ROUTING = """
routing:
  rules:
    - name: pharmacy_support
      match:
        forwarded_from: "info@dostupnost-leku.cz"
      route: agent
      profile: pharmacy
    - name: default
      match:
        all: true
      route: pipeline
"""
PROFILES = """
agent:
  profiles:
    pharmacy:
      model: gemini/gemini-2.5-pro
      max_tokens: 4096
      temperature: 0.3
      max_iterations: 10
      system_prompt_file: config/prompts/pharmacy.txt
      tools:
        - search_drugs
        - manage_reservation
        - web_search
        - send_reply
        - create_draft
        - escalate
"""


def problems(text: str) -> tuple[str, ...]:
    """What is wrong with this file."""
    with pytest.raises(SettingsInvalid) as caught:
        config_of(text.encode())
    return caught.value.problems


def test_the_documented_examples_load_unchanged() -> None:
    """Routing and profile examples of the framework's document are understood as they stand."""
    config = config_of((ROUTING + PROFILES).encode())

    assert config.rules == (
        RoutingRule(
            name="pharmacy_support",
            forwarded_from="info@dostupnost-leku.cz",
            pipeline=PipelineName.AGENT,
            profile="pharmacy",
        ),
        RoutingRule(name="default", all=True),
    )
    assert config.profiles == (
        ProfileSpec(
            name="pharmacy",
            model="gemini/gemini-2.5-pro",
            max_tokens=4096,
            temperature=0.3,
            max_iterations=10,
            system_prompt_file="config/prompts/pharmacy.txt",
            tools=("search_drugs", "manage_reservation", "web_search", "send_reply", "create_draft", "escalate"),
        ),
    )


def test_the_example_file_loads(tmp_path: Path) -> None:
    """triage.example.yaml can be copied, and its first rule does what its comment says."""
    config = load_config(ROOT / "triage.example.yaml")
    forwarded = Message(headers=(("x-forwarded-for", "info@pharmacy.example us@example.com"),))
    incident = Message(
        subject=Untrusted("[INC0042] disk"),
        sender=Address(address="desk@partner.example"),
        headers=(("x-severity", "Critical"),),
    )

    proof, table = Proof(trust=Trust.VERIFIED, checked=True, border=forwarded.headers), RuleTable.of(config.rules)
    taken = [route_of(RouteFacts(message=mail, proof=proof), table) for mail in (forwarded, incident, Message())]
    assert [(one.rule, one.pipeline, one.profile) for one in taken] == [
        ("pharmacy_support", PipelineName.AGENT, "pharmacy"),
        ("partner_incidents", PipelineName.AGENT, "jira"),
        ("default", PipelineName.PIPELINE, "jira"),
    ]
    assert [profile.name for profile in config.profiles] == ["pharmacy"]


def test_the_example_file_is_enough_to_start(tmp_path: Path) -> None:
    """Copied to triage.yaml as it is, from whatever folder, it names no file, secret or server that is not there."""
    config = load_config(ROOT / "triage.example.yaml")
    agents_of(load(Isolated), config)

    assert [tool for profile in config.profiles for tool in profile.tools if tool not in toolbox().names] == []
    assert config.mailboxes == ()


def test_what_the_example_file_offers_is_right(tmp_path: Path) -> None:
    """Each section behind a # is understood as soon as the # is taken away."""
    text = (ROOT / "triage.example.yaml").read_text(encoding="utf-8")
    shown = re.sub(r"^# ((?: {2,}|- |[a-z_]+:).*)$", r"\1", text, flags=re.MULTILINE)
    config = config_of(shown.encode())

    assert [server.name for server in config.mcp_servers] == ["stock"]
    assert [mailbox.name for mailbox in config.mailboxes] == ["support", "support/Escalations", "alerts"]
    assert (config.jira_fields["Severity"], config.weights.similar) == ("S3", 200)


def test_no_file_no_rules(tmp_path: Path) -> None:
    """The configuration may be absent, empty or all comment."""
    assert load_config(tmp_path / "triage.yaml") == Config()
    assert config_of(b"") == config_of(b"# nothing yet\n") == config_of(b"routing: {}") == Config()


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """The path is named."""
    with pytest.raises(SettingsInvalid, match="cannot be read"):
        load_config(tmp_path)


def test_every_problem_at_once() -> None:
    """Unknown keys, wrong values and missing ones are all told, each with its place."""
    told = problems(
        """
routing:
  ruels: []
  rules:
    - {name: a, match: {sender_mail: x}, route: agnt, rout: 1}
    - {name: b, match: {}, route: pipeline}
    - {name: c, match: {sender_email: nobody, header_match: {X-A: "(a+)+"}}, route: pipeline}
    - {name: d, match: {all: true}, route: agent}
agent:
  profile: {}
  profiles:
    p: {tools: 5, preprocessor: crips, max_iterations: 99, model_name: x}
agents: {}
"""
    )

    assert {
        re.sub(r"; known are.*| \(line \d+, column \d+\)$", "", one.removeprefix("triage.yaml: ")) for one in told
    } == {
        "routing.ruels: unknown key",
        "routing.rules[0].match.sender_mail: unknown key",
        "routing.rules[0].route: input should be 'pipeline', 'agent' or 'support'",
        "routing.rules[0].rout: unknown key",
        "routing.rules[1].match: no condition; write `all: true` for every mail",
        "routing.rules[2].match.sender_email: 'nobody' is no e-mail address",
        f"routing.rules[2].match.header_match.X-A: {NESTED}",
        "routing.rules[3]: `route: agent` needs a `profile`",
        "agent.profile: unknown key",
        "agent.profiles.p.system_prompt_file: field required",
        "agent.profiles.p.tools: must be a list, lines that begin with `-`",
        "agent.profiles.p.preprocessor: there is no 'crips'; there are crisp, default, forward",
        "agent.profiles.p.max_iterations: input should be less than or equal to 50",
        "agent.profiles.p.model_name: unknown key",
        "agents: unknown key",
    }


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("agents: {}", "agent, "),
        ("routing: {rule: []}", "rules"),
        (
            "routing: {rules: [{name: a, match: {all: true}, route: pipeline, rout: 1}]}",
            "account, labels, match, name, profile, project, route",
        ),
        (
            "routing: {rules: [{name: a, match: {all: true, some: 1}, route: pipeline}]}",
            "all, disposition, forwarded_from, ",
        ),
        ("agent: {profile: {}}", "profiles"),
        (
            "agent: {profiles: {p: {system_prompt_file: p.md, tools: [], modell: x}}}",
            "fallback, grants, max_iterations, ",
        ),
    ],
)
def test_an_unknown_key_tells_the_known_ones(text: str, known: str) -> None:
    """Whoever misspells a key reads how it is spelt at that place."""
    (told,) = problems(text)

    assert told.partition("unknown key; known are ")[2].startswith(known)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "must hold `key: value` lines"),
        (
            "routing:\n  - [",
            "is not YAML: while parsing a flow node, expected the node content, but found '<stream end>' (line 2, column 6)",
        ),
        ("routing: {}\nrouting: {}", "'routing' stands there twice, keep one (line 2, column 1)"),
        ("routing:\n\trules: []", "(line 2, column 1); indent with blanks, not with tabs"),
        ("routing: [1]", "routing: must hold `key: value` lines (line 1, column 1)"),
        ("routing: {rules: 7}", "routing.rules: must be a list, lines that begin with `-` (line 1, column 11)"),
        ("? [a]\n: 1", "is not YAML"),
        ("!!python/object:os.system {}", "is not YAML"),
        (ROUTING + ROUTING.partition("rules:\n")[2], "more than one rule is called default, pharmacy_support"),
        ("agent: {profiles: {a: {name: b, system_prompt_file: p, tools: []}}}", "the profile a calls itself b"),
        ("#" * 1_000_001, "larger than"),
    ],
)
def test_single_problems(text: str, problem: str) -> None:
    """What is no configuration is told in one line that names the file."""
    (told,) = problems(text)

    assert told.startswith("triage.yaml: ")
    assert problem in told


def test_bytes_that_are_no_text() -> None:
    """A file in another encoding is told as such."""
    with pytest.raises(SettingsInvalid, match=r"is not UTF-8 \(line 2\); save it again in this encoding"):
        config_of("# names\nname: Müller".encode("latin-1"))


def test_values_for_fields_of_tickets() -> None:
    """As written; YAML's days become texts again."""
    config = config_of(
        b"""
jira:
  fields:
    Severity: S3
    Teams: [Billing, Web]
    Review by: 2026-12-31
    Effort: 3
    customfield_10010: {value: Blue}
"""
    )

    assert config.jira_fields == {
        "Severity": "S3",
        "Teams": ["Billing", "Web"],
        "Review by": "2026-12-31",
        "Effort": 3,
        "customfield_10010": {"value": "Blue"},
    }


def test_a_field_without_a_value_is_told() -> None:
    """And so is another key beside the fields."""
    assert problems("jira:\n  fields:\n    Severity:\n  field: {}\n") == (
        "triage.yaml: jira.fields.Severity: has no value (line 3, column 5)",
        "triage.yaml: jira.field: unknown key; known are count_field, fields; did you mean fields? (line 4, column 3)",
    )


def test_mistakes_are_told_with_line_and_column() -> None:
    """Every mistake names the place in the file: of the wrong value, of the unknown key, of the rule that lacks one."""
    told = problems(
        "routing:\n"
        "  rules:\n"
        "    - name: a\n"
        "      match: {kind: robot, language: xx, recipient: nobody, trust_at_least: failed}\n"
        "      route: pipeline\n"
        "    - name: b\n"
        "      match: {all: true}\n"
    )

    assert {one.rpartition(" (")[2] for one in told} == {
        "line 4, column 15)",
        "line 4, column 28)",
        "line 4, column 42)",
        "line 4, column 61)",
        "line 6, column 7)",
    }
