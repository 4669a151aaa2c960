"""Logs, health checks and error reports."""
