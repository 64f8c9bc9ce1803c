"""Telemetry: metrics for Prometheus, traces for OpenTelemetry."""
