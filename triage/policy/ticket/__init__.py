"""Which tickets are alike, and what is written on one."""
