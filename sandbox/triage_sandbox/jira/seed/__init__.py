"""Fills a new site: the company, its boards, its help desk, and templates for projects."""
