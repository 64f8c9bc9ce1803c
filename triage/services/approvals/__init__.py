"""Decisions about parked calls, and the kill switch: the single service for console, API, commands, mail and Jira."""

from triage.services.approvals.service import ApprovalService

__all__ = ["ApprovalService"]
