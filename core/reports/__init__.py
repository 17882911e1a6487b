"""Method B (AtomiMed): reports into facts, two-way verification, scores with their trace."""
