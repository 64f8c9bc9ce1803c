"""Time: days and hours in words, deadlines, working hours and free slots."""
