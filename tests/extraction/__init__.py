"""Tests of core.extraction."""
