"""Many reviewers at once on one SQLite file: what a test runs small and a benchmark whole."""

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.domain.review_views import DraftChange
from core.errors import AppError
from core.services import review, review_commit, review_drafts, review_rows, studies
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from core.storage.dialogues import save_dialogue
from tests.review.example import MODEL, make_dialogue, store_example

N_TURNS = 4


@dataclass(frozen=True)
class Load:
    """What came of it.

    Attributes:
        n_expected, n_stored: ratings.
        n_doubled: (assignment, dimension) stored more than once.
        n_misplaced: ratings or remarks that are not the ones given for that reviewer and dialogue.
        save_ms: of every save of a change and every commit, in milliseconds, with all tries.
        n_busy: writes that the busy file refused after its time-out, and that were sent again as the browser does.
    """

    n_expected: int
    n_stored: int
    n_doubled: int
    n_misplaced: int
    save_ms: tuple[float, ...]
    n_busy: int


def score_of(reviewer_number: int, label: str, dimension: Dimension) -> int:
    """Give the score, 1-5, that this reviewer gives: differs between neighbours, dialogues and dimensions."""
    return (reviewer_number + int(label.rsplit(" ", 1)[-1]) + list(Dimension).index(dimension)) % 5 + 1


def _rate(arguments: tuple[str, str, str, int]) -> tuple[list[float], int]:
    folder, study_id, who, number = arguments
    ws = open_workspace(read_settings(Path(folder)))
    spent, busy = [], 0

    def again(write: Callable, *given):  # noqa: ANN002, ANN202 - whatever the service takes and gives
        nonlocal busy
        for _ in range(5):
            try:
                return write(ws, who, *given)
            except AppError as error:
                if "locked" not in str(error):
                    raise
                busy += 1
        return write(ws, who, *given)

    def save(assignment_id: str, turn: int, field: str, value: int | str) -> None:
        change = DraftChange(turn=turn, field=field, value=value, base=0, nonce=f"{turn}-{field}")
        began = time.perf_counter()
        (result,) = again(review_drafts.save_drafts, assignment_id, [change])
        spent.append((time.perf_counter() - began) * 1000)
        assert result.state == "saved", result

    for assignment in studies.assignments_of(ws, study_id):
        if assignment.reviewer_id != who:
            continue
        for turn in range(1, N_TURNS + 1):
            again(review.open_step, assignment.id, f"turn-{turn}")
            save(assignment.id, turn, "supported", "yes")
        save(assignment.id, 1, "comment", f"{who} {assignment.id}")
        again(review_commit.outcome, assignment.id)
        for dimension in Dimension:
            save(assignment.id, 0, dimension.value, score_of(number, assignment.label, dimension))
        save(assignment.id, 0, "safety", "none")
        began = time.perf_counter()
        again(review_commit.commit, assignment.id)
        spent.append((time.perf_counter() - began) * 1000)
    ws.store.close()
    return spent, busy


def commit_together(ws: Workspace, n_reviewers: int, n_dialogues: int) -> Load:
    """Let as many processes as reviewers rate and commit all dialogues at the same time, and compare the store."""
    store_example(ws)
    ids = [f"dlg-load-{n}" for n in range(n_dialogues)]
    with ws.store.write() as session:
        for n, dialogue_id in enumerate(ids):
            dialogue = make_dialogue(ws, dialogue_id, MODEL)
            save_dialogue(session, dialogue.model_copy(update={"repeat": n + 1}))
    people = [studies.add_reviewer(ws, f"Dr {n}") for n in range(n_reviewers)]
    study = studies.create_study(ws, "Many", ReviewMode.BLINDED, ids, [p.id for p in people], order_seed=1)
    folder = str(ws.settings.data_folder)
    jobs = [(folder, study.id, person.id, n) for n, person in enumerate(people)]
    with multiprocessing.get_context("spawn").Pool(n_reviewers) as pool:
        spent = pool.map(_rate, jobs, chunksize=1)
    save_ms = [ms for of_one, _ in spent for ms in of_one]
    return _compare(ws, study.id, people, save_ms, sum(n for _, n in spent))


def _compare(ws: Workspace, study_id: str, people: list, save_ms: list[float], n_busy: int) -> Load:
    assignments = {a.id: a for a in studies.assignments_of(ws, study_id)}
    numbers = {p.id: n for n, p in enumerate(people)}
    rows = review_rows.committed_ratings(ws, study_id)
    wrong = 0
    for row in rows:
        assignment = assignments[row.assignment_id]
        wanted = score_of(numbers[assignment.reviewer_id], assignment.label, row.dimension)
        wrong += (row.score, row.dialogue_id) != (wanted, assignment.dialogue_id)
    pseudonyms = {p.pseudonym: p.id for p in people}
    by_place = {(a.reviewer_id, a.dialogue_id): a.id for a in assignments.values()}
    for answer in review_rows.committed_turn_answers(ws, study_id):
        if answer.field == "comment":
            who = pseudonyms[answer.reviewer]
            wrong += answer.text != f"{who} {by_place[who, answer.dialogue_id]}"
    return Load(
        n_expected=len(assignments) * len(Dimension),
        n_stored=len(rows),
        n_doubled=sum(n > 1 for n in Counter((r.assignment_id, r.dimension) for r in rows).values()),
        n_misplaced=wrong,
        save_ms=tuple(save_ms),
        n_busy=n_busy,
    )
