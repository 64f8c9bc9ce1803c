"""The services of the team's memory for console, commands and agents."""
