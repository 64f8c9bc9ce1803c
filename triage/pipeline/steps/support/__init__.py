"""The agents of the support hub, one step each; the supervisor chooses the next one."""
