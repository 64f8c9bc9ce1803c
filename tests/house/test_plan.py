"""The plan of the house is kept: rights, prompts and types are what the golden tables say."""

import re
from dataclasses import replace
from datetime import date

from cli.wiring.agents.profiles import agents_of
from cli.wiring.memory.agents import memory_agents
from prompts import names, read
from tests.conftest import ROOT
from tests.unit.triage.toolsets.rights import EVERY_FIELD, EVERYTHING, RIGHTS, WITH_ASSIGNMENT
from tests.unit.triage.toolsets.runs import a_run, judged
from triage.agent.profiles import matrix, profile_of
from triage.agent.toolbox import Tool
from triage.config.settings import Isolated, load
from triage.domain.mail import Trust
from triage.domain.tickets import FieldValue, Person, Status
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Decision, Terms
from triage.policy.decision.rights import Sender, Standing, rows
from triage.toolsets.table import LETTERS, PEOPLE, SPRINTS, TOOLSETS, toolbox

WITH_LETTERS = {"jira": {"send_reply": "send", "create_draft": "write", "escalate": "write"}}
"""What SMTP_HOST adds."""


def test_rights_are_those_of_the_golden_table() -> None:
    """The permission matrix, computed from the agents' files, is exactly the one above."""
    profiles = [profile_of(name, read(name)) for name in names()]

    bare = toolbox(off=[PEOPLE, SPRINTS, LETTERS])
    people, letters = (
        [tool for tool in toolbox(off=off).tools if tool.name not in bare.names]
        for off in ([SPRINTS, LETTERS], [SPRINTS, PEOPLE])
    )

    assert matrix(profiles, {tool.name: tool.grant.value for tool in bare.tools}) == RIGHTS
    assert matrix(profiles, {tool.name: tool.grant.value for tool in people}) == WITH_ASSIGNMENT
    assert matrix(profiles, {tool.name: tool.grant.value for tool in letters}) == WITH_LETTERS


OF_MEMORY = """
                    email_reader memory_writer query action reconciliation
read_emails         read         -             -     -      -
fetch_sent_emails   -            -             -     -      read
write_memory        -            write         -     write  write
read_memory         -            read          read  read   read
search_vault        -            read          read  read   read
list_memories       -            read          read  read   read
get_vault_index     -            -             read  read   -
get_vault_stats     -            read          read  -      -
get_graph           -            -             read  read   -
traverse_graph      -            -             read  read   -
"""
"""Who of the memory's agents may call what."""


def test_rights_of_the_memory_are_those_of_the_golden_table() -> None:
    """Tool by tool and agent by agent, from the agents' files; no tool and no agent is missing."""
    agents = memory_agents()
    head, *lines = OF_MEMORY.strip("\n").splitlines()
    grants = {tool.name: tool.grant.value for tool in agents.toolbox.tools}
    computed = matrix(agents.profiles.values(), grants)

    assert sorted(head.split()) == sorted(agents.profiles)
    assert {line.split()[0]: line.split()[1:] for line in lines} == {
        tool: [computed[agent].get(tool, "-") for agent in head.split()] for tool in grants
    }
    assert {tool for profile in agents.profiles.values() for tool in profile.tools} == set(grants)


SENDERS = {
    "participant": Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True),
    "stranger": Sender(trust=Trust.VERIFIED, foreign_thread="HARB-9"),
    "weak": Sender(trust=Trust.WEAK, thread="HARB-1"),
    "unverified": Sender(trust=Trust.UNVERIFIED, thread="HARB-1"),
    "failed": Sender(trust=Trust.FAILED, thread="HARB-1"),
}
"""The kinds of senders, each but the stranger with HARB-1 as the ticket of the mail's thread."""
VERDICTS = """
                                   participant stranger    weak        unverified  failed
create_jira_ticket                 allow       allow       allow       allow       labelled
create_jira_ticket assignee        allow       ask         ask         ask         without
create_jira_ticket assignee ours   allow       allow       allow       allow       without
create_jira_ticket priority        allow       allow       lower       lower       lower
create_jira_ticket labels          allow       allow       allow       allow       labelled
create_jira_ticket components      allow       allow       allow       allow       labelled
create_jira_ticket due_date        allow       allow       allow       allow       labelled
create_jira_ticket affects_versions  allow       allow       allow       allow       labelled
create_jira_ticket parent          allow       without     without     without     without
create_jira_ticket related         allow       allow       allow       allow       without
create_jira_ticket fields          allow       allow       allow       allow       labelled
create_jira_ticket sprint          allow       ask         ask         ask         without
create_jira_ticket sprint full     ask         ask         ask         ask         without
modify_jira_ticket comment thread  allow       ask         mark        mark        mark
modify_jira_ticket comment certain  allow       allow       mark        mark        refuse
modify_jira_ticket comment read    allow       allow       ask         ask         refuse
modify_jira_ticket comment unread  refuse      refuse      refuse      refuse      refuse
modify_jira_ticket comment other   ask         ask         refuse      refuse      refuse
modify_jira_ticket comment unseen  refuse      refuse      refuse      refuse      refuse
modify_jira_ticket comment apart   refuse      refuse      refuse      refuse      refuse
modify_jira_ticket status open     allow       ask         ask         ask         refuse
modify_jira_ticket status done     ask         ask         ask         ask         refuse
modify_jira_ticket assignee        ask         ask         ask         ask         refuse
modify_jira_ticket summary         ask         ask         ask         ask         refuse
modify_jira_ticket priority        allow       ask         ask         ask         refuse
modify_jira_ticket sprint          allow       ask         ask         ask         refuse
modify_jira_ticket sprint full     ask         ask         ask         ask         refuse
link_jira_tickets other_key        allow       ask         refuse      refuse      refuse
link_jira_tickets other_key new    refuse      refuse      refuse      refuse      refuse
link_jira_tickets kind             allow       ask         refuse      refuse      refuse
get_jira_ticket                    allow       allow       allow       allow       allow
get_current_period                 allow       allow       allow       allow       allow
finish                             allow       allow       allow       allow       allow
read_jira_tickets                  allow       allow       allow       allow       allow
get_project_users                  allow       allow       allow       allow       allow
get_user_workload                  allow       allow       allow       allow       allow
suggest_assignee                   allow       allow       allow       allow       allow
get_sprints                        allow       allow       allow       allow       allow
get_active_sprint                  allow       allow       allow       allow       allow
send_reply                         allow       allow       refuse      refuse      refuse
create_draft                       allow       allow       refuse      refuse      refuse
escalate                           allow       allow       allow       allow       allow
"""
"""What each kind of sender gets with each argument of each tool; a new tool or argument has to be written here."""
ADA, OURS = Person(id="ada", name=Untrusted("Ada")), Person(id="kim", name=Untrusted("Kim"))
GIVEN: dict[str, object] = {
    "assignee": ADA,
    "assignee ours": OURS,
    "priority": "Highest",
    "labels": ["a"],
    "components": ["Billing"],
    "affects_versions": ["4.2.1"],
    "due_date": date(2026, 12, 1),
    "parent": "HARB-2",
    "related": "HARB-2",
    "fields": [FieldValue(id="customfield_1", name="Severity", value="S1")],
    "sprint": 7,
    "sprint full": 8,
    "status open": Status(name="In Progress", category="indeterminate"),
    "status done": Status(name="Shipped", category="done"),
    "summary": "abc",
    "comment thread": "x",
    "other_key": "HARB-2",
    "other_key new": "HARB-4",
    "kind": "relates",
}
BASE: dict[str, dict[str, object]] = {
    "modify_jira_ticket": {"ticket_key": "HARB-1"},
    "link_jira_tickets": {"ticket_key": "HARB-1", "other_key": "HARB-2", "kind": "relates"},
    "finish": {"disposition": "unsure", "reason": "x"},
}
"""What a call needs beside the argument that the line is about."""
KEYS = {
    "comment certain": "HARB-5",
    "comment read": "HARB-2",
    "comment unread": "HARB-6",
    "comment other": "HARB-3",
    "comment unseen": "HARB-4",
    "comment apart": "HARB-9",
}


def _said(tool: Tool, wanted: str, sender: Sender) -> str:
    """The verdict in a word."""
    history = a_run(
        searched=True,
        shown={"HARB-1": 0.2, "HARB-2": 0.6, "HARB-3": 0.2, "HARB-5": 0.9, "HARB-6": 0.9, "HARB-9": 1.0},
        certain={"HARB-5"},
        read={"HARB-2", "HARB-3"},
        proposed={"kim"},
        sprints={7: "", 8: "full"},
    )
    name = wanted.partition(" ")[0]
    given = {name: GIVEN.get(wanted, "x")} if name else {}
    keys = {"ticket_key": KEYS[wanted]} if wanted in KEYS else {}
    call = {**BASE.get(tool.name, {}), **keys, **given}
    where = replace(sender, foreign_thread="HARB-9") if wanted == "comment apart" else sender
    told = judged(tool.name, tool.grant, call, history, Terms(sender=where, priorities=("Highest", "High")))
    if told.asks or told.word is Decision.REFUSE:
        return "ask" if told.asks else "refuse"
    changed = {each for each in {*call, *told.arguments} if call.get(each) != told.arguments.get(each)}
    if name in changed and name != "labels":
        return "mark" if name == "comment" else "lower" if name in told.arguments else "without"
    return "labelled" if changed == {"labels"} else "allow"


def test_verdicts_are_those_of_the_golden_table() -> None:
    """Every argument of every tool of the real toolbox, with every feature on, for every kind of sender."""
    box = agents_of(load(Isolated, **EVERYTHING), EVERY_FIELD).toolbox
    lines = [re.split(r"\s{2,}", line) for line in VERDICTS.strip("\n").splitlines()[1:]]
    computed = [
        [what, *(_said(box[what.split()[0]], what.partition(" ")[2], sender) for sender in SENDERS.values())]
        for what, *_ in lines
    ]
    free = {
        "create_jira_ticket": {"summary", "description", "issue_type"},
        "modify_jira_ticket": {"ticket_key"},
        "link_jira_tickets": {"ticket_key"},
    }
    possible = {
        (tool.name, argument)
        for tool in box.tools
        for argument in (tool.arguments.model_fields.keys() - free[tool.name] if tool.name in free else [""])
    }

    assert computed == lines
    assert {(what.split()[0], "".join(what.split()[1:2])) for what, *_ in lines} - {
        ("create_jira_ticket", "")
    } == possible


def test_the_documents_print_the_table_of_rights() -> None:
    """docs/reference/rights.md holds the table as the code has it, for a toolbox with every feature on."""
    box = agents_of(load(Isolated, **EVERYTHING), EVERY_FIELD).toolbox
    head = [["tool", "deed", *(kind.value for kind in Standing)], ["---"] * 6]
    told = [line for each in box.tools for line in rows(each.name, each.grant, each.rule.rights if each.rule else {})]
    lines = [[f"`{tool}`", deed, *row] for tool, deed, row in told]
    printed = "\n".join(f"| {' | '.join(cells)} |" for cells in (*head, *lines))

    assert printed in (ROOT / "docs" / "reference" / "rights.md").read_text(encoding="utf-8"), printed


def test_prompts_are_made_in_one_place_only() -> None:
    """`Prompt(` is written in its own module and behind the door, nowhere else."""
    users = [
        str(path.relative_to(ROOT))
        for room in ("cli", "triage", "integrations", "web", "webhooks")
        for path in (ROOT / room).rglob("*.py")
        if "Prompt(" in path.read_text(encoding="utf-8")
    ]

    assert sorted(users) == ["triage/domain/untrusted.py", "triage/policy/text/untrusted.py"]


def test_a_tools_name_stands_in_its_toolset_alone() -> None:
    """No room but its own names a tool: what others must know of it stands in the toolset's row of the table."""
    leaks = [
        f"{path.relative_to(ROOT)}: {tool.name}"
        for toolset in TOOLSETS
        for tool in toolset.tools
        for room in ("cli", "triage", "integrations", "web", "webhooks")
        for path in (ROOT / room).rglob("*.py")
        if (ROOT / "triage" / "toolsets" / toolset.name) not in path.parents
        # A name that is a plain word, too, is a leak where it stands in quotes.
        and re.search(
            rf"\b{tool.name}\b" if "_" in tool.name else f"[\"']{tool.name}[\"']", path.read_text(encoding="utf-8")
        )
    ]

    assert [leak for leak in leaks if "toolsets/table.py" not in leak] == []
