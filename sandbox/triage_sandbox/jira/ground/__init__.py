"""What all else stands on: the data, the clock, the accounts and what they may do."""
