"""Erasure and retention of personal data."""
