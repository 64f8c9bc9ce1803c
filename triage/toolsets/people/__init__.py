"""People: who a ticket can be given to."""
