"""The command line: `python -m core`. Each command calls the services that the pages call."""
