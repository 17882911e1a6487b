"""Several processes commit at the same moment on one SQLite file: nothing lost, nothing doubled, nothing misplaced.

The whole load, 20 processes and 2,000 ratings, runs in `make bench BENCH=save_p95_ms`.
"""

from tests.review.load import commit_together


def test_reviewers_who_commit_at_once_lose_double_and_misplace_nothing(workspace) -> None:
    load = commit_together(workspace, n_reviewers=6, n_dialogues=3)
    assert (load.n_expected, load.n_stored) == (90, 90)
    assert (load.n_doubled, load.n_misplaced) == (0, 0)
    # Eleven changes and one commit for each of 18 dialogues.
    assert len(load.save_ms) == 18 * 12
