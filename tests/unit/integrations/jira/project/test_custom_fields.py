"""The fields that mails decide, compared with Jira's forms."""

from integrations.jira.issue.screen import IssueScreen, ScreenField
from integrations.jira.project.custom_fields import custom_fields, field_problems
from triage.domain.tickets import CustomField

SEVERITY = ScreenField(
    id="customfield_1", name="Severity", custom="select", allowed=({"id": "7", "value": "S1"}, {"value": "S2"})
)
NOTE = ScreenField(id="customfield_2", name="Note", custom="textfield")
PRIORITY = ScreenField(id="priority", name="Priority", allowed=({"name": "High"},))


def screen(*fields: ScreenField) -> IssueScreen:
    """A form with these fields."""
    return IssueScreen(type_id="1", type_name="Bug", fields={each.id: each for each in fields})


FORMS = (screen(PRIORITY, NOTE, ScreenField(id="customfield_1", name="Severity", custom="select")), screen(SEVERITY))


def test_fields_get_jiras_ids_and_spellings() -> None:
    """Known by name or id, on any form; values as both sides allow them, Jira's own where triage.yaml says `any`."""
    wanted = {"severity": ("s2", "S9"), "customfield_2": ("a", "b"), "Gone": (), "Priority": ()}

    assert custom_fields(FORMS, wanted) == (
        CustomField(id="customfield_1", name="Severity", values=("S2",)),
        CustomField(id="customfield_2", name="Note", values=("a", "b")),
    )
    assert custom_fields(FORMS, {"Severity": ()})[0].values == ("S1", "S2")


def test_what_jira_does_not_know_is_told() -> None:
    """Each problem with what there is instead; nothing where all is well."""
    wanted = {"Severity": ("S1", "S9"), "Gone": (), "Priority": ("High",), "Note": ("a",)}

    assert dict(field_problems(FORMS, wanted)) == {
        "Severity": "has no value S9; allowed: S1, S2",
        "Gone": "is on no create form of this project; there are: Note, Severity",
        "Priority": "is no custom field: a ticket gets it otherwise",
    }
