"""`make bench`: the budgets of the product, measured; one JSON line each. Timings are printed, never asserted."""
