"""Shared drawing: what more than one page shows."""
