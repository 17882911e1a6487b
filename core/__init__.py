"""CaseRounds: from published case report to clinician's rating. See README.md for the flow."""

__version__ = "0.1.0"
