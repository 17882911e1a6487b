"""Several processes commit at the same moment on one SQLite file: nothing lost, nothing doubled."""

import multiprocessing
from collections import Counter
from pathlib import Path

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.services import rating_entry, review_rows, studies
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.review.example import store_example

N_REVIEWERS = 4


def _rate(arguments: tuple[str, str, str, int]) -> None:
    folder, study_id, reviewer_id, score = arguments
    ws = open_workspace(read_settings(Path(folder)))
    for assignment in studies.assignments_of(ws, study_id):
        if assignment.reviewer_id == reviewer_id:
            turns = {n: {"supported": "yes", "comment": reviewer_id} for n in (1, 2, 3, 4)}
            scores = {d.value: score for d in Dimension} | {"safety": "none"}
            rating_entry.enter_ratings(ws, assignment, turns, scores)
    ws.store.close()


def test_reviewers_who_commit_at_once_lose_and_double_nothing(workspace) -> None:
    dialogues = store_example(workspace)
    people = [studies.add_reviewer(workspace, f"Dr {n}") for n in range(N_REVIEWERS)]
    study = studies.create_study(workspace, "Many", ReviewMode.BLINDED, dialogues, [p.id for p in people], order_seed=1)
    folder = str(workspace.settings.data_folder)
    jobs = [(folder, study.id, person.id, n % 5 + 1) for n, person in enumerate(people)]
    with multiprocessing.get_context("spawn").Pool(N_REVIEWERS) as pool:
        pool.map(_rate, jobs)
    rows = review_rows.committed_ratings(workspace)
    assert len(rows) == N_REVIEWERS * 2 * 5
    assert set(Counter((r.assignment_id, r.dimension) for r in rows).values()) == {1}
    for n, person in enumerate(people):
        assert {r.score for r in rows if r.reviewer == person.pseudonym} == {n % 5 + 1}
    remarks = [(a.reviewer, a.text) for a in review_rows.committed_turn_answers(workspace) if a.field == "comment"]
    names = {p.pseudonym: p.id for p in people}
    assert len(remarks) == N_REVIEWERS * 2 * 4
    assert all(names[reviewer] == text for reviewer, text in remarks)
