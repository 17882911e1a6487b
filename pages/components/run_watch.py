"""A run that workers do, as everybody sees it: how far it is, what it cost, and what can be wanted of it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.run import RunState, TaskState
from core.errors import AppError
from core.services.estimating import estimate_run
from core.services.pipeline import Models
from core.services.run_orders import RunProgress, cancel, pause, resume, retry_failed, run_progress, set_budget
from core.services.workspace import Workspace
from pages.components.notices import errors_shown
from pages.components.run_parts import stage_table
from pages.components.state import RUN_PROBLEM
from pages.components.words import count_of, plain


def draw_run(ws: Workspace, run_id: str) -> None:
    """Draw a run and its buttons, again every two seconds while it goes on; any number of people may watch."""
    is_going = run_progress(ws, run_id).run.state is RunState.RUNNING
    st.fragment(_draw, run_every=2 if is_going else None)(ws, run_id)


def _draw(ws: Workspace, run_id: str) -> None:
    now = run_progress(ws, run_id)
    done = now.n_cases - now.n_open
    st.progress(done / now.n_cases if now.n_cases else 0.0, f"{done} of {count_of(now.n_cases, 'case')} done")
    if now.control and now.control.note:
        st.info(plain(now.control.note), icon=":material/info:")
    _draw_figures(now)
    st.table(stage_table(now.run))
    _draw_buttons(ws, now)
    if now.run.state is not RunState.RUNNING and st.session_state.get(f"seen-{run_id}") is RunState.RUNNING:
        # The page around it says where the run stands too.
        st.session_state[f"seen-{run_id}"] = now.run.state
        st.rerun()
    st.session_state[f"seen-{run_id}"] = now.run.state


def _draw_figures(now: RunProgress) -> None:
    totals, cap = now.totals, now.control.budget_usd if now.control else None
    first, second, third, fourth = st.columns(4)
    first.metric("Requests", f"{totals.n_attempts:,}", help="Sent to models for this run; answers known are not asked.")
    second.metric("Tokens in / out", f"{totals.input_tokens:,} / {totals.output_tokens:,}")
    third.metric("Cost", cost_words(totals.cost_usd, totals.n_unpriced), help=_cap_words(cap))
    fourth.metric("Time left", time_words(now.left_s) if now.run.state is RunState.RUNNING else "–")
    if cap is not None:
        st.caption(f"Cap: ${cap:.4g}. Calls in flight when it is reached are still paid.")
    if totals.n_unpriced:
        st.caption(f"{count_of(totals.n_unpriced, 'reply', 'replies')} without a known price are not in the cost.")
    if now.reasons:
        told = ", ".join(f"{reason} {n}" for reason, n in now.reasons.items())
        st.caption(f"Requests not accepted: {plain(told)}.")
    if now.totals.n_attempts:
        st.page_link(
            "dialogues/calls.py", label="Look into its calls", icon=":material/call:", query_params={"run": now.run.id}
        )


def _draw_buttons(ws: Workspace, now: RunProgress) -> None:
    run_id, state = now.run.id, now.run.state
    is_cancelled = now.control is not None and now.control.wish == "cancel"
    has_failed = bool(now.run.n(TaskState.FAILED)) or bool(now.reasons)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if state is RunState.RUNNING:
            _button("Pause", "pause", run_id, lambda: pause(ws, run_id), "Calls in flight end and are kept.")
        if state is RunState.PAUSED:
            _button("Resume", "play_arrow", run_id, lambda: resume(ws, run_id), "Goes on where it was.")
            cap = st.number_input(
                "Cap in US dollars",
                min_value=0.01,
                value=now.control.budget_usd,
                placeholder="no cap",
                key=f"cap-{run_id}",
                width=180,
            )
            if cap != now.control.budget_usd:
                set_budget(ws, run_id, cap)
        if state is not RunState.RUNNING and has_failed and not is_cancelled:
            _confirmed("Retry failed", "replay", run_id, lambda: retry_failed(ws, run_id), "Only what failed is asked.")
        if state is not RunState.FINISHED:
            what = "What is made stays; the rest is skipped. It cannot be resumed."
            _confirmed("Cancel", "cancel", run_id, lambda: cancel(ws, run_id), what)


def _button(label: str, icon: str, run_id: str, order, help_text: str) -> None:  # noqa: ANN001 - a function
    if st.button(label, icon=f":material/{icon}:", help=help_text, key=f"{icon}-{run_id}"):
        _do(order)


def _confirmed(label: str, icon: str, run_id: str, order, what: str) -> None:  # noqa: ANN001 - a function
    with st.popover(label, icon=f":material/{icon}:"):
        st.write(what)
        if st.button(f"{label} now", type="primary", key=f"{icon}-{run_id}"):
            _do(order)


def _do(order) -> None:  # noqa: ANN001 - a function
    try:
        order()
    except AppError as error:
        st.session_state[RUN_PROBLEM] = error
    st.rerun()


def draw_estimate(ws: Workspace, case_ids: Sequence[str], models: Models) -> None:
    """Draw what a run would ask and cost; an unknown price is said and is not 0."""
    with errors_shown():
        found = estimate_run(ws, case_ids, models)
        st.dataframe(
            pd.DataFrame(
                {
                    "Role": [role.role.value for role in found.roles],
                    "Model": [role.model for role in found.roles],
                    "Calls": [role.n_calls for role in found.roles],
                    "Tokens in": [role.input_tokens for role in found.roles],
                    "Tokens out": [role.output_tokens for role in found.roles],
                    "Cost": [
                        "price unknown" if role.cost_usd is None else f"${role.cost_usd:.2f}" for role in found.roles
                    ],
                }
            ),
            hide_index=True,
        )
        cost = "price unknown" if found.cost_usd is None else f"about ${found.cost_usd:.2f}"
        st.caption(
            f"{count_of(found.n_calls, 'call')}, {cost}, from the stored texts and images. Repeated requests come on "
            "top; what is answered already is not asked again."
        )
        if found.left_out:
            st.caption(f"{count_of(len(found.left_out), 'case')} not extracted yet could not be estimated.")


def cost_words(cost_usd: float, n_unpriced: int) -> str:
    """Give a cost; an unknown price is said and is not 0."""
    if n_unpriced and not cost_usd:
        return "price unknown"
    return f"${cost_usd:,.2f}" if cost_usd >= 1 else f"${cost_usd:.4f}"


def time_words(seconds: float | None) -> str:
    """Give a duration in the unit that fits; `not known yet` for None."""
    if seconds is None:
        return "not known yet"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _cap_words(cap: float | None) -> str:
    return "No cap is set." if cap is None else f"The run pauses at ${cap:.4g}."
