"""Tools from outside: functions of installed packages, bounded and with rights of our own."""
