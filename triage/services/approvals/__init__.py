"""What people decide about parked calls, and the kill switch: the only way to decide, for every door."""

from triage.services.approvals.service import ApprovalService

__all__ = ["ApprovalService"]
