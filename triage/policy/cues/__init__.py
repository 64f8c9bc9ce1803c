"""Reading the signs of a mail: how much it matters, what kind of request it is, and in which language it says so."""
