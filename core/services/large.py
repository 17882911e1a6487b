"""The large study for load tests: a thousand synthetic cases with everything that a real study would hold."""

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from PIL import Image, ImageDraw

from core.domain.article import ImageRef
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.review import Assignment, CommittedRating, Missing, Rating, Reviewer, ReviewMode, Study, TurnAnswer
from core.domain.run import Run, RunState, RunTask, TaskState
from core.errors import InvalidInput
from core.services.large_content import AT, Answered, Sizes, answer, make_case, score_of
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.storage import articles
from core.storage.bulk import Batch, save_batch, save_review, save_whole_run

CASES_AT_A_TIME = 20
N_PICTURES = 12
PICTURE_PX = (1600, 1200)
SHOWN = "dialogue, images, reported diagnosis; synthetic"


@dataclass(frozen=True)
class LargeStudy:
    """What was made: numbers of cases, dialogues, match rows and ratings."""

    cases: int
    dialogues: int
    match_rows: int
    judgements: int
    reviewers: int
    ratings: int


def make_large(
    workspace: Workspace,
    cases: int = 1000,
    models: int = 5,
    reviewers: int = 30,
    ratings: int = 30_000,
    seed: int = 0,
    progress: Progress = silent,
) -> LargeStudy:
    """Fill an empty study with synthetic material, the same for the same arguments, and give what was made.

    Every article, dialogue, evaluation, judgement, reviewer and study is marked as demonstration material and says
    that it is synthetic. Beside the models each case has a reference dialogue. No step of the flow is run: nothing
    here says anything about any engine.

    Args:
        workspace: an empty study.
        cases: how many cases.
        models: settings beside the reference.
        reviewers: of one blinded study, each with the same number of committed dialogues and two that are left.
        ratings: committed ratings to make, five for each committed dialogue.
        seed: of everything that is drawn.
        progress: called after each group of cases.

    Raises:
        InvalidInput: the study holds articles already, or a number is out of range.
    """
    if min(cases, models, reviewers) < 1 or ratings < 0:
        raise InvalidInput("Cases, models and reviewers must be 1 or more.", "Choose other numbers.")
    with workspace.store.read() as session:
        if articles.count_articles(session):
            raise InvalidInput(
                "This study holds articles already; synthetic material is not mixed with them.",
                "Name a new folder with --data.",
            )
    images = _pictures(workspace)
    settings = {"reference": 0.93} | {
        f"synthetic model {chr(65 + n)}": 0.55 - 0.4 * n / max(models, 2) for n in range(models)
    }
    sizes = Sizes()
    quality: dict[str, tuple[str, int, float]] = {}
    n_rows = n_judgements = 0
    tasks: list[RunTask] = []
    for start in range(1, cases + 1, CASES_AT_A_TIME):
        numbers = range(start, min(start + CASES_AT_A_TIME, cases + 1))
        batch = Batch()
        for number in numbers:
            one = make_case(number, seed, images, sizes)
            batch.articles.append(one.article)
            batch.cases.append(one.case)
            batch.reference_sets.append(one.references)
            for place, (setting, skill) in enumerate(settings.items()):
                made = answer(one, (number - 1) * len(settings) + place + 1, setting, skill, seed, sizes)
                _add(batch, made)
                quality[made.dialogue.id] = (one.case.case_id, len(made.dialogue.turns), made.quality)
            tasks += _tasks(one.case.case_id)
        with workspace.store.write() as session:
            n_rows += save_batch(session, batch, AT, is_demonstration=True)
        n_judgements += len(batch.judgements)
        progress(numbers[-1], cases, f"{numbers[-1]} synthetic cases")
    run = Run(
        id="run-synthetic",
        title="synthetic load test",
        models={"test model": "synthetic model A"},
        state=RunState.FINISHED,
        person="synthetic generator",
        started_at=AT,
        ended_at=AT,
        tasks=tuple(tasks),
    )
    with workspace.store.write() as session:
        save_whole_run(session, run)
    n_ratings = _make_review(workspace, quality, reviewers, ratings, seed)
    return LargeStudy(cases, len(quality), n_rows, n_judgements, reviewers, n_ratings)


def _add(batch: Batch, made: Answered) -> None:
    batch.dialogues.append(made.dialogue)
    batch.evaluations.append((made.evaluation, "synthetic matcher"))
    batch.judgements += made.judgements


def _tasks(case_id: str) -> Iterator[RunTask]:
    for step in ("extract", "reference", "run", "evaluate model", "judge model"):
        yield RunTask(
            run_id="run-synthetic", case_id=case_id, step=step, state=TaskState.DONE, started_at=AT, ended_at=AT
        )


def _pictures(workspace: Workspace) -> tuple[ImageRef, ...]:
    """Store a few drawn pictures that say what they are, and give their references."""
    found = []
    for number in range(N_PICTURES):
        draw = random.Random(number)
        picture = Image.new("L", PICTURE_PX, 20)
        pen = ImageDraw.Draw(picture)
        for _ in range(60):
            x, y, r = draw.randint(0, PICTURE_PX[0]), draw.randint(0, PICTURE_PX[1]), draw.randint(20, 220)
            pen.ellipse((x - r, y - r, x + r, y + r), outline=draw.randint(60, 220), width=4)
        pen.text((40, 40), f"SYNTHETIC PICTURE {number + 1}", fill=255, font_size=60)
        out = io.BytesIO()
        picture.save(out, "PNG")
        found.append(
            ImageRef(
                sha256=workspace.images.put(out.getvalue(), "image/png"),
                media_type="image/png",
                width_px=PICTURE_PX[0],
                height_px=PICTURE_PX[1],
                size_bytes=len(out.getvalue()),
            )
        )
    return tuple(found)


def _make_review(
    workspace: Workspace, quality: dict[str, tuple[str, int, float]], n_reviewers: int, n_ratings: int, seed: int
) -> int:
    """Store one blinded study with its reviewers and ratings, and give how many ratings there are."""
    draw = random.Random(f"{seed}/review")
    study = Study(
        id="study-synthetic",
        name="Synthetic review study for load tests",
        mode=ReviewMode.BLINDED,
        instrument_version=INSTRUMENT.version,
        order_seed=seed,
        created_at=AT,
        is_demonstration=True,
    )
    people = [
        Reviewer(
            id=f"rev-{n:04d}",
            name=f"Synthetic reviewer {n}",
            pseudonym=f"Reviewer {n}",
            created_at=AT + timedelta(seconds=n),
            is_demonstration=True,
        )
        for n in range(1, n_reviewers + 1)
    ]
    each = min(max(round(n_ratings / n_reviewers / len(Dimension)), 0), max(len(quality) - 2, 0))
    # About six reviewers share a dialogue, so that agreement among reviewers can be computed.
    pool = draw.sample(sorted(quality), min(len(quality), max(each + 2, each * n_reviewers // 6)))
    labels = {dialogue_id: f"Dialogue {n}" for n, dialogue_id in enumerate(pool, start=1)}
    assignments, ratings, answers = [], [], []
    for person in people:
        severity = draw.gauss(0, 0.3)
        for position, dialogue_id in enumerate(draw.sample(pool, min(each + 2, len(pool))), start=1):
            _, n_turns, good = quality[dialogue_id]
            is_done = position <= each
            one = Assignment(
                id=f"asg-{person.id}-{position:04d}",
                study_id=study.id,
                dialogue_id=dialogue_id,
                reviewer_id=person.id,
                label=labels[dialogue_id],
                position=position,
                furthest_turn=n_turns if is_done else 1,
                at_step="reveal" if is_done else "turn-1",
                outcome_shown_at=AT if is_done else None,
                committed_at=AT if is_done else None,
            )
            assignments.append(one)
            if is_done:
                ratings += _ratings(draw, one.id, good, severity)
                supported = [TurnAnswer(turn=t, field="supported", values=("yes",)) for t in range(1, n_turns + 1)]
                safety = TurnAnswer(turn=0, field="safety", values=("none",))
                answers += [(one.id, given, AT) for given in (*supported, safety)]
    with workspace.store.write() as session:
        save_review(session, [study], people, assignments, ratings, answers)
    return len(ratings)


def _ratings(draw: random.Random, assignment_id: str, quality: float, severity: float) -> Iterator[CommittedRating]:
    for dimension in Dimension:
        is_missing = draw.random() < 0.01
        yield CommittedRating(
            assignment_id=assignment_id,
            revision=1,
            rating=Rating(
                dimension=dimension,
                score=None if is_missing else score_of(draw, quality, severity),
                missing=Missing.NOT_APPLICABLE if is_missing else None,
            ),
            evidence_shown=SHOWN,
            instrument_version=INSTRUMENT.version,
            committed_at=AT,
        )
