"""What a run has left, how its reasons are grouped, and its table of stages."""

from core.domain.run import Run, RunState, RunTask, TaskState
from pages.components.run_parts import by_reason, progress_words, stage_table, what_is_left
from tests.conftest import NOW

ROLES = {"test model": "a", "dialogue writer": "b", "decomposer": "c", "matcher": "d", "judge": "e", "extractor": "f"}


def run(*tasks: tuple[str, str, TaskState, str], state: RunState = RunState.FINISHED, **changes) -> Run:
    return Run(
        id="run-1",
        title="pipeline",
        state=state,
        person="study lead",
        started_at=NOW,
        tasks=tuple(RunTask(run_id="run-1", case_id=c, step=s, state=t, reason=r) for c, s, t, r in tasks),
        **({"models": ROLES, "settings": {"leak_policy": "hold"}} | changes),
    )


def test_a_finished_run_without_failure_has_nothing_left() -> None:
    assert what_is_left(run(("PMC1", "judge model", TaskState.DONE, "")), {"PMC1"}) is None


def test_failed_and_skipped_cases_are_left_with_the_models_and_policy_of_their_run() -> None:
    left = what_is_left(
        run(
            ("PMC1", "judge model", TaskState.DONE, ""),
            ("PMC2", "extract", TaskState.SKIPPED, "held"),
            ("PMC3", "run", TaskState.FAILED, "no key"),
        ),
        {"PMC1", "PMC2", "PMC3"},
    )
    assert left.case_ids == ("PMC2", "PMC3")
    assert left.models.by_role() == ROLES
    assert left.policy.value == "hold"
    assert not left.only_dialogues


def test_a_run_paused_between_two_steps_still_has_its_case_left() -> None:
    paused = run(("PMC1", "extract", TaskState.DONE, ""), state=RunState.PAUSED)
    assert what_is_left(paused, {"PMC1"}).case_ids == ("PMC1",)


def test_a_refused_import_cannot_be_taken_up() -> None:
    assert what_is_left(run(("note.xml", "import", TaskState.SKIPPED, "no article")), {"PMC1"}) is None


def test_a_run_of_dialogues_alone_is_taken_up_as_such() -> None:
    dialogues = run(("PMC1", "run", TaskState.FAILED, "x"), models={"test model": "a"}, settings={"repeat": 2})
    left = what_is_left(dialogues, {"PMC1"})
    assert left.only_dialogues
    assert (left.models.test_model, left.repeat) == ("a", 2)


def test_reasons_that_differ_in_the_case_alone_are_one_group_and_failures_come_first() -> None:
    groups = by_reason(
        run(
            ("PMC1", "extract", TaskState.SKIPPED, "Case PMC1 is ineligible: no figure."),
            ("PMC2", "extract", TaskState.SKIPPED, "Case PMC2 is ineligible: no figure."),
            ("PMC3", "run", TaskState.FAILED, "There is no key."),
        )
    )
    assert [(state, step, len(tasks)) for state, step, _, tasks in groups] == [
        (TaskState.FAILED, "run", 1),
        (TaskState.SKIPPED, "extract", 2),
    ]
    assert groups[1][2] == "The case is ineligible: no figure."


def test_stages_are_counted_in_the_order_of_the_flow() -> None:
    table = stage_table(
        run(
            ("PMC1", "run", TaskState.FAILED, "x"),
            ("PMC1", "extract", TaskState.DONE, ""),
            ("PMC2", "extract", TaskState.WAITING, ""),
        )
    )
    assert list(table.index) == ["Extract and look for leaks", "Model dialogue"]
    assert table.loc["Extract and look for leaks"].to_dict() == {
        "done": 1,
        "running": 0,
        "waiting": 1,
        "failed": 0,
        "skipped": 0,
    }


def test_progress_speaks_in_the_words_of_the_screen() -> None:
    assert progress_words("PMC1: evaluate model") == "PMC1: Score the model dialogue"
    assert progress_words("done") == "done"
