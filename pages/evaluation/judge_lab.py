"""Judge lab: another judge, matcher or decomposer on the same dialogues, and what changes."""

import pandas as pd
import streamlit as st

from core.errors import AppError
from core.services.dialogues import dialogues_of_settings
from core.services.evaluating import same_family_warning
from core.services.judge_lab import MODES, VARIANTS, Trial, TrialLine, changes_of, plan_trial, run_trial
from core.services.models import RULES_BASELINE, list_models
from core.services.results import list_evaluators, list_judges, list_settings
from pages.components.figures_in_words import number, with_interval
from pages.components.notices import demonstration, empty, show_error
from pages.components.resources import kept, workspace
from pages.components.score_table import metric_name
from pages.components.state import LAB_LINES
from pages.components.stored_results import stamp
from pages.components.words import count_of, dimension_name, level_name, target_name

MOST_SHOWN = 200
KEEP = "as it was"

ws = workspace()
st.title("Judge lab")
st.write(
    "Let another judge, matcher or decomposer look at dialogues that are evaluated already. What it makes is stored "
    "beside what is there; nothing is replaced, and what is stored already is not asked for again."
)
if not list_evaluators(ws):
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()
try:
    models = list_models(ws)
except AppError as error:
    show_error(error)
    models = ()
usable = [RULES_BASELINE, *(model.name for model in models if model.state == "ready")]
settings = list_settings(ws)

with st.container(border=True):
    one, two = st.columns([3, 1])
    chosen = one.multiselect("Dialogues of", settings, default=settings[:1], key="lab_settings")
    n_cases = two.number_input("Cases at most", min_value=1, value=10, step=1, key="lab_cases")
    left, middle, right = st.columns(3)
    decomposer = left.selectbox("Decomposer", [KEEP, *usable], key="lab_decomposer")
    matcher = middle.selectbox("Matcher", [KEEP, *usable], key="lab_matcher")
    judge = right.selectbox("Judge", ["none", *usable], index=1, key="lab_judge")
    mode = left.selectbox(
        "The judge is shown",
        MODES,
        format_func={"summary": "the item-level summary", "evidence": "dialogue and article"}.get,
        key="lab_mode",
        disabled=judge in ("none", RULES_BASELINE),
    )
    variant = middle.selectbox(
        "Judge's prompt", VARIANTS, key="lab_variant", disabled=judge in ("none", RULES_BASELINE)
    )
    against = right.selectbox(
        "Compared with the scores of",
        [None, *list_judges(ws)],
        format_func=lambda name: name or "the same judge",
        key="lab_against",
        disabled=judge == "none",
    )
    trial = Trial(
        decomposer=None if decomposer == KEEP else decomposer,
        matcher=None if matcher == KEEP else matcher,
        judge=None if judge == "none" else judge,
        mode=mode,
        variant=variant,
        against=against,
    )
    for setting in chosen:
        if warning := same_family_warning(judge, setting):
            st.warning(warning, icon=":material/warning:")
    rows = dialogues_of_settings(ws, chosen, n_cases)
    plan = plan_trial(ws, trial, [row.id for row in rows])
    does_nothing = not (trial.decomposer or trial.matcher or trial.judge)
    is_agreed = True
    if plan.models:
        cost = (
            f"The cost is unknown: the registry has no price for {', '.join(plan.unpriced)}."
            if plan.unpriced
            else "Prices are in the registry; what is spent stands under Status."
        )
        st.warning(
            f"At most {plan.most_calls:,} calls to {', '.join(plan.models)} for "
            f"{count_of(plan.n_dialogues, 'dialogue')}. {cost}",
            icon=":material/payments:",
        )
        is_agreed = st.checkbox("Make these calls", key=f"lab_agreed_{plan.models}_{plan.most_calls}")
    with st.container(horizontal=True, vertical_alignment="center"):
        is_started = st.button(
            f"Try it on {count_of(len(rows), 'dialogue')}",
            type="primary",
            icon=":material/science:",
            disabled=not rows or does_nothing or not is_agreed,
            key="lab_start",
        )
        if does_nothing:
            st.caption("Choose a decomposer, a matcher or a judge to try.")
        elif not plan.models:
            st.caption("Rules only: no call is made, nothing is paid.")

if is_started:
    bar = st.progress(0.0, "Starting")
    try:
        st.session_state[LAB_LINES] = run_trial(
            ws,
            trial,
            [row.id for row in rows],
            progress=lambda done, total, text: bar.progress(done / max(total, 1), f"{done} of {total} · {text}"),
        )
    except AppError as error:
        show_error(error)
    bar.empty()

lines: tuple[TrialLine, ...] = st.session_state.get(LAB_LINES, ())
if not lines:
    st.stop()
if any(row.is_demonstration for row in rows):
    demonstration()
for line in lines:
    if line.problem:
        st.error(f"{line.case_id}, {line.setting}: {line.problem}", icon=":material/error:")
changes = kept("lab", (stamp(ws), lines), lambda: changes_of(ws, lines))
st.subheader("What changed")
st.markdown(
    f"**{count_of(len(changes.pairs), 'pair')}** of items in {count_of(changes.n_evaluations, 'dialogue')} and "
    f"**{count_of(len(changes.scores), 'score')}** in {count_of(changes.n_judgements, 'dialogue')} judged before and "
    "after."
)
moved = [one for one in changes.totals if one.difference is not None]
if moved:
    st.table(
        pd.DataFrame(
            {
                "Metric": [metric_name(one.metric) for one in moved if one.metric.is_headline],
                "Before": [number(one.second) for one in moved if one.metric.is_headline],
                "After": [number(one.first) for one in moved if one.metric.is_headline],
                "After − before": [
                    with_interval(one.difference, one.interval, sign=True) for one in moved if one.metric.is_headline
                ],
                "n": [one.n for one in moved if one.metric.is_headline],
            }
        ).set_index("Metric")
    )
    st.caption("On what has a value before and after. In brackets: paired bootstrap over cases, 2,000 draws.")
if changes.scores:
    st.markdown("**Scores**")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Case": one.line.case_id,
                    "Dialogue": one.line.setting,
                    "Dimension": dimension_name(one.change.dimension),
                    "Before": "unscored" if one.change.first is None else str(one.change.first),
                    "After": "unscored" if one.change.second is None else str(one.change.second),
                    "Words before": one.words_before,
                    "Words after": one.words_after,
                }
                for one in changes.scores[:MOST_SHOWN]
            ]
        ),
        hide_index=True,
    )
if changes.pairs:
    st.markdown("**Pairs of items**")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Case": one.line.case_id,
                    "Dialogue": one.line.setting,
                    "Target": target_name(one.change.target),
                    "Reference item": one.change.reference,
                    "Output item": one.change.output,
                    "Before": level_name(one.change.first) if one.change.first else "no pair",
                    "After": level_name(one.change.second) if one.change.second else "no pair",
                }
                for one in changes.pairs[:MOST_SHOWN]
            ]
        ),
        hide_index=True,
    )
left_out = max(len(changes.pairs), len(changes.scores)) - MOST_SHOWN
if left_out > 0:
    st.caption(f"The first {MOST_SHOWN} of each are listed; {left_out:,} more are not.")
with st.container(horizontal=True):
    for line in lines[:6]:
        st.page_link(
            "evaluation/matches.py",
            label=f"Matches of {line.case_id}, {line.setting}",
            icon=":material/join_inner:",
            query_params={"dialogue": line.dialogue_id},
        )
