"""The calendar: what day it is."""
