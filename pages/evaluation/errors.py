"""Errors: what dialogues missed, added and contradicted, by target and by what it is about, each with its source."""

import pandas as pd
import streamlit as st

from core.domain.items import Target
from core.errors import AppError
from core.services.cases import get_article
from core.services.error_views import ErrorCategory, ErrorFilter, ErrorIndex, ErrorItem, errors_of
from core.services.overview import overview
from core.services.results import list_evaluators
from core.services.workspace import Workspace
from pages.components.case_parts import draw_image
from pages.components.notices import demonstration, empty
from pages.components.resources import workspace
from pages.components.state import query
from pages.components.stored_results import error_index, found_by_words
from pages.components.words import evaluator_name, target_name

ON_A_PAGE = 25
KINDS = {"missing": "○ missing", "extra": "+ extra", "contradiction": "✕ contradiction"}
ANY = "any"


def counts_frame(index: ErrorIndex, asked: ErrorFilter, rows: str) -> pd.DataFrame:
    """Give what is narrowed to as a table: names of `rows` down, kinds and categories across."""
    kinds = index.counts(asked, rows, "kind")
    categories = index.counts(asked, rows, "category")
    lines = {
        target_name(Target(name)) if rows == "target" else name: {
            **dict(kinds[name]),
            **{f"about {category}": n for category, n in categories[name].items()},
        }
        for name in kinds
        if name
    }
    return pd.DataFrame.from_dict(lines, orient="index")


def draw_error(ws: Workspace, error: ErrorItem) -> None:
    """Draw one error with its sentences, its figure and the ways to where it stands."""
    with st.container(border=True, key="open_error"):
        st.markdown(f"**{KINDS[error.kind]}** · {target_name(error.target)}")
        left, right = st.columns(2)
        with left:
            st.caption("Reference item (article)")
            st.text(error.reference or "no counterpart in the article")
            if error.reference_sentence:
                st.caption("from the sentence")
                st.text(error.reference_sentence)
        with right:
            st.caption(f"Output item ({error.setting})")
            st.text(error.output or "no counterpart in the dialogue")
            if error.output_sentence:
                st.caption("from the sentence")
                st.text(error.output_sentence)
        if error.reason:
            st.caption(f"Matcher: {error.reason}")
        if error.is_annotation:
            st.caption("About a mark on the figure (arrow, coloured marker, panel letter).")
        if error.figure_id:
            draw_figure(ws, error)
        with st.container(horizontal=True):
            st.page_link(
                "evaluation/matches.py",
                label="Its matches",
                icon=":material/join_inner:",
                query_params={"dialogue": error.dialogue_id},
            )
            st.page_link(
                "dialogues/dialogue.py",
                label="Its dialogue",
                icon=":material/forum:",
                query_params={"id": error.dialogue_id},
            )
            st.page_link(
                "cases/case.py", label="Its article", icon=":material/article:", query_params={"id": error.case_id}
            )


def draw_figure(ws: Workspace, error: ErrorItem) -> None:
    """Draw the pictures of the figure that an error is about, as far as they are stored."""
    try:
        figure = next(f for f in get_article(ws, error.case_id).figures if f.id == error.figure_id)
    except (AppError, StopIteration):
        st.caption("The figure is not in the newest version of the article.")
        return
    for graphic in figure.graphics:
        if graphic.image is not None:
            draw_image(ws, graphic.image, figure.label or figure.id, width=320)


ws = workspace()
st.title("Errors")
evaluators = list_evaluators(ws)
if not evaluators:
    empty("Nothing has been evaluated yet", "Run the pipeline on a case, or evaluate a dialogue.")
    st.page_link("dialogues/runs.py", label="Runs", icon=":material/play_circle:")
    st.stop()
if overview(ws).has_demonstration:
    demonstration()

with st.container(horizontal=True, vertical_alignment="bottom"):
    evaluator = st.selectbox(
        "Decomposer and matcher", evaluators, format_func=evaluator_name, key="errors_evaluator", width=250
    )
    index = error_index(ws, evaluator)
    setting = st.selectbox("Dialogues", [None, *index.names["setting"]], format_func=lambda s: s or "all", width=220)
    target = st.selectbox(
        "Target", [None, *Target], format_func=lambda t: target_name(t) if t else "all", key="errors_target", width=200
    )
    modality = st.selectbox(
        "Modality",
        [None, *filter(None, index.names["modality"])],
        format_func=lambda m: m or "all",
        key="errors_modality",
        width=180,
    )
    with_annotations = st.toggle(
        "Count annotation items",
        value=True,
        help="Items about arrows, coloured markers and panel letters, which a model may not see as findings.",
        key="errors_annotations",
    )
with st.container(horizontal=True, vertical_alignment="bottom"):
    kind = st.segmented_control(
        "Kind", list(KINDS), format_func=KINDS.get, key="errors_kind", help="All kinds when none is chosen."
    )
    category = st.segmented_control(
        "About", list(ErrorCategory), format_func=lambda c: c.value, key="errors_category", help="All when none is."
    )
    words = st.text_input("Search in the items", key="errors_search", placeholder="words, all of them", width=280)

asked = ErrorFilter(setting, target, kind, category, modality, with_annotations)
ids = index.found(asked, found_by_words(ws, words) if words.strip() else None)
n_pages = max(1, -(-len(ids) // ON_A_PAGE))
with st.container(horizontal=True, vertical_alignment="bottom"):
    page = st.number_input(
        f"Page, of {n_pages:,}",
        min_value=1,
        max_value=n_pages,
        value=1,
        key=f"errors_page_{hash((asked, words))}",
        width=160,
    )
    st.markdown(f"**{len(ids):,} items**, {ON_A_PAGE} on a page.")
if not len(ids):
    empty("No item like this", "Choose fewer filters or other words.")
else:
    shown = errors_of(ws, ids[(page - 1) * ON_A_PAGE : page * ON_A_PAGE])
    picked = st.dataframe(
        pd.DataFrame(
            {
                "Kind": [KINDS[one.kind] for one in shown],
                "Reference item (article)": [one.reference or "—" for one in shown],
                "Output item (dialogue)": [one.output or "—" for one in shown],
                "Target": [target_name(one.target) for one in shown],
                "Case": [one.case_id for one in shown],
                "Figure": [one.figure_id for one in shown],
                "Dialogue": [one.setting for one in shown],
            }
        ),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=f"errors_table_{page}_{hash((asked, words))}",
        column_config={
            "Kind": st.column_config.TextColumn(width=105),
            "Reference item (article)": st.column_config.TextColumn(width=300),
            "Output item (dialogue)": st.column_config.TextColumn(width=300),
            "Target": st.column_config.TextColumn(width=140),
            "Case": st.column_config.TextColumn(width=115),
            "Figure": st.column_config.TextColumn(width=55),
            "Dialogue": st.column_config.TextColumn(width=135),
        },
        height=320,
    )
    asked_id = query("error")
    chosen = next((one for one in shown if str(one.id) == asked_id), shown[0])
    if picked.selection.rows:
        chosen = shown[picked.selection.rows[0]]
    draw_error(ws, chosen)

st.subheader("How many")
st.table(counts_frame(index, asked, "target"))
if target in (None, Target.IMAGE_FINDINGS) and any(index.names["modality"]):
    st.caption("Image findings by modality of their figure")
    st.table(counts_frame(index, asked, "modality"))
st.caption(
    "Missing: a reference item that no output item met. Extra: an output item without a counterpart, which need not be "
    "wrong. The two items of a contradiction stand among the missing and the extra ones too. What an item is about is "
    "told by rules: a word of denial, a side or place, a number or size, else other; for contradictions, what stands "
    "against what. Of several evaluations of a dialogue the newest counts."
)
