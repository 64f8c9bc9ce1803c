"""Commands that take one mail: process, parse, pipe."""
