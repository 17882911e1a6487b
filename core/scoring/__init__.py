"""Atomic items, their matches, the scores that follow, and the FVCU judge (evaluation.md sections 1-4)."""
