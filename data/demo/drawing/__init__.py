"""Computed drawings for the figures of the demonstration articles; no picture of a person or specimen is used."""
