"""What the console, commands and agents may ask of the team's memory."""
