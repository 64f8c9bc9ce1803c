"""The ground: nouns, errors and ports, known to everyone and knowing nobody."""
