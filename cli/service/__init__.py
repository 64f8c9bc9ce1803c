"""Commands that run for long or look after the installation."""
