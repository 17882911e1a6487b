"""Commands of the flow: import, extract, dialogue, run, evaluate, pipeline."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Data, Json, Problems, command, open_study, print_json, print_table, progress_shown, say
from core.domain.case import LeakPolicy
from core.errors import AppError, InvalidInput, ModelUnavailable

app = typer.Typer()

Cases = Annotated[list[str] | None, typer.Argument(metavar="[CASE]...", help="Case ids; all when none is named.")]
Model = Annotated[str, typer.Option("--model", help="Model of the registry, or `rules`.")]
Extractor = Annotated[str, typer.Option(help="Reads the case from the article: model of the registry, or `rules`.")]
Judge = Annotated[str, typer.Option("--judge", help="Model of the registry, or `rules`.")]
Decomposer = Annotated[str, typer.Option(help="Splits texts into atomic items: model of the registry, or `rules`.")]
Matcher = Annotated[str, typer.Option(help="Proposes pairs of items: model of the registry, or `rules`.")]


@app.command("import")
@command
def import_articles(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders, .xml, .nxml, .tar.gz, .zip.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and report, store nothing.")] = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a report with one row per article.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Import articles with their figures; one that is refused stops nothing and leaves nothing behind."""
    from core.services.importing import import_paths
    from core.services.script_rows import import_row, report_csv

    study, problems, rows = open_study(data), Problems(), []
    counts = {"imported": 0, "updated": 0, "refused": 0}
    with progress_shown() as progress:
        for outcome in import_paths(study, paths, dry_run, progress=progress):
            counts[outcome.status] += 1
            row = import_row(outcome)
            if as_json:
                print_json(row)
            if csv:
                rows.append(row)
            n_missing = sum(name is None for figure in row["figures"] for name in figure["images"])
            if outcome.status == "refused":
                problems.add(f"Refused {outcome.source}: {row['reason']}")
            elif n_missing:
                say(f"{outcome.id}: {n_missing} pictures are missing; put them beside the XML or attach them by hand.")
            if outcome.status != "refused" and not as_json:
                n_images = sum(figure["image"] is not None for figure in row["figures"])
                print(f"{outcome.status:9} {outcome.id:14} {n_images}/{len(row['figures'])} images  {row['title']}")
    if csv:
        csv.write_bytes(report_csv(rows))
    done = "Nothing was stored: this was a dry run. " if dry_run else ""
    say(f"{done}{counts['imported']} imported, {counts['updated']} updated, {counts['refused']} refused.")
    problems.end()


@app.command()
@command
def extract(
    cases: Cases = None,
    extractor: Extractor = "rules",
    leak_policy: Annotated[LeakPolicy, typer.Option(help="What the leak audit does by itself.")] = LeakPolicy.HOLD,
    parts: Annotated[
        bool, typer.Option("--parts", help="With --json: also the article's parts, into whose text the spans point.")
    ] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Extract cases from imported articles and search them for leaks of the answer."""
    from core.services.extracting import extract as extract_one
    from core.services.script_rows import extract_row

    study, problems = open_study(data), Problems()
    for case_id in _named(study, cases):
        try:
            case = extract_one(study, case_id, leak_policy, extractor)
        except ModelUnavailable:
            raise
        except AppError as error:
            problems.add(str(error))
            continue
        if as_json:
            print_json(extract_row(study, case, with_parts=parts))
        else:
            state = "released" if case.is_released else (case.held_reason or case.eligibility.state)
            diagnosis = "; ".join(value.text for value in case.final_diagnosis) or "no final diagnosis found"
            print(f"{case.case_id:14} v{case.version}  {state:10}  {diagnosis}")
            for reason in case.eligibility.reasons:
                print(f"{'':14} {reason}")
    problems.end()


@app.command()
@command
def dialogue(
    cases: Cases = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show what a model would receive instead of writing anything.")
    ] = False,
    writer: Annotated[str, typer.Option(help="Words the reference dialogue: model of the registry, or `rules`.")] = (
        "rules"
    ),
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Write reference dialogues, or show every turn exactly as a model would receive it."""
    from core.services import dialogues

    study, problems = open_study(data), Problems()
    wanted = _named(study, cases) if preview else _ready(study, cases, "is_eligible")
    with progress_shown() as progress:
        for case_id in wanted:
            try:
                if preview:
                    _show_plan(dialogues.preview(study, case_id), as_json)
                else:
                    made = dialogues.write_reference(study, case_id, writer=writer, progress=progress)
                    _show_dialogue(made, as_json)
            except ModelUnavailable:
                raise
            except AppError as error:
                problems.add(str(error))
    problems.end()


@app.command()
@command
def run(
    cases: Cases = None,
    model: Model = ...,
    repeat: Annotated[int, typer.Option(min=0, help="Index of the repeat.")] = 0,
    budget: Annotated[float | None, typer.Option("--budget", help="Cap in US dollars; reaching it pauses.")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Write the replies to a file to replay.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Run a test model through the staged turns of released cases. Ctrl-C pauses; the same command goes on."""
    from core.services.models import is_rules
    from core.services.running import run_model

    study, problems = open_study(data), Problems()
    wanted = _ready(study, cases, "is_released")
    if is_rules(model):
        with progress_shown() as progress:
            made = run_model(study, model, wanted, repeat, progress=progress)
    else:
        made = _run_durably(study, model, wanted, repeat, budget)
    if record:
        from core.services.recording import record_run

        say(f"{record_run(study, made.id, record)} replies written to {record.name}.")
    for task in made.tasks:
        row = {"case": task.case_id, "state": task.state.value, "dialogue": task.result_id, "reason": task.reason}
        if task.result_id:
            row |= _turn_states(study, task.result_id)
        if as_json:
            print_json(row)
        else:
            print(f"{task.case_id:14} {task.state.value:8} {task.result_id}")
        if task.reason:
            problems.add(task.reason)
        for turn in row.get("failed_turns", ()):
            problems.add(f"{task.case_id}, turn {turn['turn']}: {turn['status']} ({turn['problem']})")
    problems.end()


@app.command()
@command
def evaluate(
    dialogues: Annotated[
        list[str] | None, typer.Argument(metavar="[DIALOGUE]...", help="Dialogue ids; all when none is named.")
    ] = None,
    judge: Judge = "rules",
    decomposer: Decomposer = "rules",
    matcher: Matcher = "rules",
    mode: Annotated[str, typer.Option(help="What the judge is shown: summary or evidence.")] = "summary",
    variant: Annotated[str, typer.Option(help="The judge's prompt: anchored or definitions.")] = "anchored",
    repeats: Annotated[int, typer.Option(min=1, max=20, help="How often the judge is asked.")] = 1,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Split dialogues into items, match them with the article's, and let a judge score them."""
    from core.services.dialogues import list_dialogues
    from core.services.evaluating import evaluate as evaluate_one
    from core.services.evaluating import judge as judge_one

    if mode not in ("summary", "evidence") or variant not in ("anchored", "definitions"):
        raise InvalidInput("--mode is summary or evidence, --variant anchored or definitions.")
    study, problems = open_study(data), Problems()
    wanted = dialogues or [row.id for row in list_dialogues(study)]
    if not wanted:
        raise InvalidInput("There is no dialogue to evaluate.", "Make some with `dialogue`, `run` or `answers import`.")
    with progress_shown() as progress:
        for done, dialogue_id in enumerate(wanted):
            progress(done, len(wanted), dialogue_id)
            try:
                evaluation = evaluate_one(study, dialogue_id, decomposer, matcher)
                judged = [judge_one(study, evaluation.id, judge, mode, variant, repeat) for repeat in range(repeats)]
            except ModelUnavailable:
                raise
            except AppError as error:
                problems.add(str(error))
                continue
            for judgement in judged:
                _show_result(study, evaluation.id, judgement.id, as_json, problems)
    problems.end()


@app.command()
@command
def pipeline(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders, .xml, .nxml, .tar.gz, .zip.")],
    model: Model = "rules",
    judge: Judge = "rules",
    writer: Annotated[str, typer.Option(help="Words the reference dialogue: model of the registry, or `rules`.")] = (
        "rules"
    ),
    decomposer: Decomposer = "rules",
    matcher: Matcher = "rules",
    extractor: Extractor = "rules",
    leak_policy: Annotated[LeakPolicy, typer.Option(help="What the leak audit does by itself.")] = LeakPolicy.AUTO,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """All steps for articles: import, extract, reference dialogue, run, items, matches, scores, judge."""
    from core.services.pipeline import Models, pipeline_paths

    study, problems = open_study(data), Problems()
    models = Models(model, writer, decomposer, matcher, judge, extractor)
    with progress_shown() as progress:
        for result in pipeline_paths(study, paths, models, leak_policy, progress=progress):
            for problem in result.problems:
                problems.add(f"{result.case_id or result.source}, {problem.step}: {problem.reason}")
            for _, evaluation_id, judgement_id in result.judged:
                _show_result(study, evaluation_id, judgement_id, as_json, problems)
    problems.end()


def _run_durably(study, model: str, cases: list[str], repeat: int, budget: float | None):  # noqa: ANN001, ANN202
    from core.cli.runs import work_until_done
    from core.services import run_orders
    from core.services.runs import get_run

    run_id = run_orders.find_paused(study, model, cases, repeat)
    if run_id:
        run_orders.resume(study, run_id, budget)
    else:
        run_id = run_orders.start_dialogues(study, model, cases, repeat, budget_usd=budget)
    work_until_done(study, run_id)
    return get_run(study, run_id)


def _named(study, cases: list[str] | None) -> list[str]:  # noqa: ANN001 - a Workspace
    from core.services.cases import list_cases

    known = [row.id for row in list_cases(study)]
    if not known:
        raise InvalidInput("The study holds no article.", "Import some first: python -m core import PATH")
    unknown = [case_id for case_id in cases or () if case_id not in known]
    if unknown:
        raise InvalidInput(f"There is no article {unknown[0]!r} in the study.", "`python -m core import` lists ids.")
    return cases or known


def _ready(study, cases: list[str] | None, claim: str) -> list[str]:  # noqa: ANN001 - a Workspace
    """Give the named cases, or all for which the claim holds; the others are told on standard error."""
    from core.services.cases import list_cases

    named = _named(study, cases)
    if cases:
        return named
    left_out = [row.id for row in list_cases(study) if not getattr(row, claim)]
    word = claim.removeprefix("is_")
    if left_out:
        say(f"Left out, since not {word}: {', '.join(left_out)}.")
    if len(left_out) == len(named):
        raise InvalidInput(f"No case is {word}.", "`python -m core extract` says why.")
    return [case_id for case_id in named if case_id not in left_out]


def _show_plan(plan, as_json: bool) -> None:  # noqa: ANN001 - a DisclosurePlan
    from core.services.script_rows import plan_rows

    for row in plan_rows(plan):
        if as_json:
            print_json(row)
        else:
            print(f"--- {row['case']}, turn {row['turn']}: {row['stage']}, {len(row['images'])} images")
            print(row["prompt"])
    for skipped in plan.skipped:
        say(f"{plan.case_id}: no {skipped.stage.value} turn ({skipped.figure_id or 'stage'}): {skipped.reason}")


def _show_dialogue(made, as_json: bool) -> None:  # noqa: ANN001 - a Dialogue
    failed = [turn for turn in made.turns if turn.response is None]
    if as_json:
        print_json(
            {
                "case": made.case_id,
                "case_version": made.case_version,
                "dialogue": made.id,
                "setting": made.setting,
                "turns": len(made.turns),
                "failed": len(failed),
            }
        )
    else:
        print(f"{made.case_id:14} {made.id}  {len(made.turns)} turns, {len(failed)} failed")


def _turn_states(study, dialogue_id: str) -> dict:  # noqa: ANN001 - a Workspace
    from core.services.dialogues import get_dialogue

    turns = get_dialogue(study, dialogue_id).turns
    failed = [
        {"turn": turn.staged.index, "status": turn.status.value, "problem": turn.problem}
        for turn in turns
        if turn.response is None
    ]
    return {"turns": len(turns), "failed_turns": failed}


def _show_result(study, evaluation_id: str, judgement_id: str, as_json: bool, problems: Problems) -> None:  # noqa: ANN001
    from core.services.script_rows import result_row

    row = result_row(study, evaluation_id, judgement_id)
    if as_json:
        print_json(row)
    else:
        scores = {
            name: "unscored" if target["f1"] is None else f"F1 {target['f1']:.2f}"
            for name, target in row["targets"].items()
        }
        fvcu = {name: value.get("score", value.get("unscored")) for name, value in row["fvcu"].items()}
        print_table(
            ["case", "setting", "judge", *scores, *fvcu],
            [[row["case"], row["setting"], row["judge"], *scores.values(), *fvcu.values()]],
        )
    for name, target in row["targets"].items():
        for reason in target.get("unscored", ()):
            problems.add(f"{row['case']}, {row['setting']}: {name} is unscored ({reason}).")
    for name, value in row["fvcu"].items():
        if "unscored" in value:
            problems.add(f"{row['case']}, {row['setting']}: {name} is unscored ({value['unscored']}).")
