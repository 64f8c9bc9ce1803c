"""Votes: who wants an issue done."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route


def listed(call: Call) -> Answer:
    """Who voted for an issue."""
    issue = call.issue(call.part("key"))
    rows = call.db.all(
        "SELECT a.* FROM vote v JOIN account a ON a.id = v.account WHERE v.issue = ? ORDER BY a.shown", issue["id"]
    )
    return Answer(
        {
            "self": call.url(f"issue/{issue['key']}/votes"),
            "votes": len(rows),
            "hasVoted": call.me in {row["id"] for row in rows},
            "voters": [shapes.person(call, row) for row in rows],
        }
    )


def vote(call: Call) -> Answer:
    """Vote for somebody else's open issue."""
    issue = call.issue(call.part("key"))
    if issue["reporter"] == call.me:
        raise JiraError(404, "You cannot vote for an issue you have reported.")
    if issue["resolution"] is not None:
        raise JiraError(404, "You cannot vote or change your vote on resolved issues.")
    call.db.run("INSERT OR IGNORE INTO vote (issue, account) VALUES (?, ?)", issue["id"], call.me)
    return DONE


def unvote(call: Call) -> Answer:
    """Take the vote back; there need not be one."""
    issue = call.issue(call.part("key"))
    call.db.run("DELETE FROM vote WHERE issue = ? AND account = ?", issue["id"], call.me)
    return DONE


_PATH: Final = f"{API}/issue/{{key}}/votes"

ROUTES: Final = (Route("GET", _PATH, listed), Route("POST", _PATH, vote), Route("DELETE", _PATH, unvote))
