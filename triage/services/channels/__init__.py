"""Services that bring what matters to where people are, and what they decide there back."""
