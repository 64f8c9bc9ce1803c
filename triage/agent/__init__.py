"""The tool loop: what a model may call, and what code allows."""
