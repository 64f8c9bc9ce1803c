"""The interface of service desks: who asks, what can be asked for, and what waits for an answer."""
