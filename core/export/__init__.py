"""Tidy tables as CSV, with a description of every column, and the bundle that holds them."""
