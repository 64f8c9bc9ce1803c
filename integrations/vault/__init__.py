"""The vault: notes of the team's memory as Markdown files in a folder."""
