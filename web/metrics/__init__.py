"""`/metrics`: figures for Prometheus."""
