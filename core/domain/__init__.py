"""Records and their rules, nothing else: no input or output, no other room of core."""
