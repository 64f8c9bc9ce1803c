"""An issue from inside: its fields, how each is read and written, and what every change leaves behind."""
