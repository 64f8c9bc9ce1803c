"""The agents of the support hub, one step each; which comes next says the supervisor."""
