"""The interface of boards: boards, sprints, backlogs, epics."""
