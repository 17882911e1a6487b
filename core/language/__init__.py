"""Text functions that several rooms share: pure, and about words only."""
