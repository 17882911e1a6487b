"""Runs: start the pipeline on chosen cases, watch it, see what failed and why, take up what is left."""

import pandas as pd
import streamlit as st

from core.domain.case import LeakPolicy
from core.domain.run import RunState
from core.errors import AppError
from core.services.cases import CaseRow, list_cases
from core.services.evaluating import same_family_warning
from core.services.models import RULES_BASELINE, list_models
from core.services.pipeline import Models
from core.services.run_orders import living_workers, run_progress
from core.services.runs import get_run, list_runs
from pages.components.notices import empty, show_error
from pages.components.resources import workspace
from pages.components.run_parts import (
    RUN_STATES,
    TASK_STATES,
    Job,
    do_job,
    draw_reasons,
    order_job,
    run_title,
    show_problem,
    stage_table,
    what_is_left,
)
from pages.components.run_watch import draw_estimate, draw_run
from pages.components.state import RUN_JOB, RUN_PROBLEM, query
from pages.components.words import count_of, plain

POLICIES = {
    LeakPolicy.AUTO: "clear by itself: trim, move or withhold",
    LeakPolicy.HOLD: "hold the case until I have decided",
}
N_RUNS = 30

ws = workspace()
st.title("Runs")
rows = list_cases(ws)
if not rows:
    empty("No case to run on", "Import a published case report first.")
    st.page_link("cases/import_articles.py", label="Import articles", icon=":material/upload_file:")
    st.stop()
known = {row.id for row in rows}


def start(job: Job) -> None:
    """Put a job where the next run of this page finds it."""
    st.session_state[RUN_JOB] = job


def is_to_do(row: CaseRow) -> bool:
    """True for a case without dialogue, unless its article was found ineligible and has not changed since."""
    return row.n_dialogues == 0 and (row.eligibility != "ineligible" or row.is_outdated)


# The job is taken out before it begins: whatever interrupts it, the page is back at the list, with the run paused.
job = st.session_state.pop(RUN_JOB, None)
if job is not None and living_workers(ws):
    # A worker does it, whoever closes the page.
    run_id, st.session_state[RUN_PROBLEM] = order_job(ws, job)
    st.query_params.clear()
    if run_id:
        st.query_params["id"] = run_id
    st.rerun()
if job is not None:
    with st.container(border=True):
        st.markdown(f"**Running on {count_of(len(job.case_ids), 'case')}**")
        st.button("Pause", icon=":material/pause:", help="Stops after the step in hand; what is made stays stored.")
        st.session_state[RUN_PROBLEM] = do_job(ws, job)
    st.query_params.clear()
    st.rerun()
show_problem(st.session_state.pop(RUN_PROBLEM, None))

try:
    models = list_models(ws)
except AppError as error:
    show_error(error)
    models = ()
usable = [RULES_BASELINE, *(model.name for model in models if model.state == "ready")]
missing = [model for model in models if model.state != "ready"]

groups = {
    "not run yet": [row.id for row in rows if is_to_do(row)],
    "all released": [row.id for row in rows if row.is_released],
    "all imported": [row.id for row in rows],
}
names = [name for name, ids in groups.items() if ids]
with st.container(border=True):
    st.subheader("Start the pipeline")
    group = st.segmented_control(
        "Cases",
        [*names, "chosen"],
        default=names[0],
        required=True,
        format_func=lambda name: f"{name} ({len(groups[name])})" if name in groups else "chosen one by one",
        key="run_group",
    )
    case_ids = groups.get(group, [])
    if group == "chosen":
        titles = {row.id: f"{row.id} · {row.title}" for row in rows}
        case_ids = st.multiselect(
            "Which", list(titles), format_func=titles.get, placeholder="choose cases", key="run_cases"
        )
    left, middle, right = st.columns(3)
    test_model = left.selectbox("Test model", usable, help="Answers the staged turns.", key="run_test_model")
    judge = middle.selectbox("Judge", usable, help="Scores factuality, validity, coherence, utility.", key="run_judge")
    policy = right.selectbox("When a text gives the answer away", POLICIES, format_func=POLICIES.get, key="run_policy")
    with st.expander("Who writes, decomposes and matches"):
        one, two, three = st.columns(3)
        writer = one.selectbox("Reference dialogue", usable, key="run_writer")
        decomposer = two.selectbox("Decomposer", usable, key="run_decomposer")
        matcher = three.selectbox("Matcher", usable, key="run_matcher")
    if warning := same_family_warning(judge, test_model):
        st.warning(warning, icon=":material/warning:")
    blind = next((model for model in models if model.name == test_model and not model.takes_images), None)
    if blind:
        st.warning(f"{blind.name} takes no images: its image turns will fail.", icon=":material/hide_image:")
    chosen_models = Models(test_model, writer, decomposer, matcher, judge)
    asks_models = any(name != RULES_BASELINE for name in (test_model, judge, writer, decomposer, matcher))
    cap = (
        st.number_input(
            "Cap in US dollars",
            min_value=0.01,
            value=None,
            placeholder="no cap",
            key="run_cap",
            width=220,
            help="The run pauses when its calls have cost so much; you can raise the cap and resume.",
        )
        if asks_models
        else None
    )
    if (
        asks_models
        and case_ids
        and st.button("Estimate calls and cost", icon=":material/calculate:", key="run_estimate")
    ):
        draw_estimate(ws, case_ids, chosen_models)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Start on {count_of(len(case_ids), 'case')}",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not case_ids,
            on_click=start,
            args=(
                Job(tuple(case_ids), Models(test_model, writer, decomposer, matcher, judge), policy, budget_usd=cap),
            ),
            key="run_start",
        )
        st.caption("Extract, dialogues, scores, judge. What is stored already is not made again.")
    if missing:
        st.page_link(
            "setup/models.py",
            label=f"{count_of(len(missing), 'more model')} need a key or a substitute",
            icon=":material/key:",
        )

st.subheader("Runs so far")
runs = list_runs(ws, N_RUNS)
if not runs:
    empty("Nothing has been run yet", "Start the pipeline above; each run stays listed here with what became of it.")
    st.stop()

overview = pd.DataFrame(
    {
        "Run": [run_title(run) for run in runs],
        "State": [RUN_STATES[run.state][0] for run in runs],
        "Test model": [run.models.get("test model", "") for run in runs],
        "Judge": [run.models.get("judge", "") for run in runs],
        **{words: [run.n(state) for run in runs] for state, words in TASK_STATES.items()},
        "Started by": [run.person for run in runs],
    }
)
picked = st.dataframe(
    overview, hide_index=True, on_select="rerun", selection_mode="single-row", key="runs_table", height="content"
)
asked = query("id")
chosen = next((run for run in runs if run.id == asked), runs[0])
if picked.selection.rows:
    chosen = runs[picked.selection.rows[0]]


@st.fragment(run_every=2)
def watch(run_id: str) -> None:
    """Draw a run that is going on somewhere, again every two seconds until it is paused or finished."""
    going = get_run(ws, run_id)
    st.table(stage_table(going))
    if going.state is not RunState.RUNNING:
        st.rerun()


with st.container(border=True):
    words, colour, icon = RUN_STATES[chosen.state]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(run_title(chosen))}**")
        st.badge(words, color=colour, icon=icon)
    if chosen.models:
        st.caption(plain(" · ".join(f"{role}: {name}" for role, name in chosen.models.items())))
    is_ordered = run_progress(ws, chosen.id).control is not None
    if is_ordered:
        draw_run(ws, chosen.id)
        if chosen.state is RunState.RUNNING and not living_workers(ws):
            st.warning("No worker is alive: it waits until the app or `python -m core worker` is started.")
    elif chosen.state is RunState.RUNNING:
        watch(chosen.id)
    else:
        st.table(stage_table(chosen))
    rest = None if is_ordered else what_is_left(chosen, known)
    if rest is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Take up what is left: {count_of(len(rest.case_ids), 'case')}",
                icon=":material/restart_alt:",
                on_click=start,
                args=(rest,),
                key=f"again-{chosen.id}",
            )
            if chosen.state is RunState.RUNNING:
                st.caption("It is marked as running: take it up only if the app was stopped meanwhile.")
draw_reasons(chosen, known)
