"""What a site knows before its first request: the company, its boards, its help desk, and templates for projects."""
