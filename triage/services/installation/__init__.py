"""What people read about this installation, and the checks that they run."""
