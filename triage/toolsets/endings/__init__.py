"""The tool that ends a run without a write."""
