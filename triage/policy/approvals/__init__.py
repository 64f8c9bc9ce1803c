"""What waits for a person, who decides, and whether it still holds; pure."""
