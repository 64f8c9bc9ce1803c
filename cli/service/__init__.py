"""Commands that run permanently or maintain the installation."""
