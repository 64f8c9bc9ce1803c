"""What people order for a case without being asked, as steps carry it out."""
