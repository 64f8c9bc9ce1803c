"""Services that bring notices and proposals to people's channels, and carry out their answers."""
