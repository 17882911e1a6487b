"""Import: articles by upload, what was read of each, what was refused and what to do about it."""

import pandas as pd
import streamlit as st

from core.domain.article import CaseReport
from core.errors import AppError
from core.services.cases import get_article, list_cases
from core.services.importing import ImportOutcome, attach_image, import_upload
from core.services.pipeline import run_pipeline
from core.services.runs import get_run
from pages.components.fetch_form import draw_fetch_form
from pages.components.notices import show_error
from pages.components.resources import workspace
from pages.components.run_parts import PERSON, draw_reasons, progress_words
from pages.components.state import IMPORT_OUTCOMES, IMPORT_RUN
from pages.components.words import count_of

FORMATS = ["xml", "nxml", "zip", "gz", "tgz", "json", "jpg", "jpeg", "png", "gif", "tif", "tiff", "webp"]

ws = workspace()
st.title("Import")
st.write(
    "Bring a published case report as PMC gives it: the article's XML together with its pictures, or one archive "
    "(.zip, .tar.gz) of one or many articles. Nothing leaves this machine."
)

with st.form("import", clear_on_submit=True):
    files = st.file_uploader(
        "Articles and their pictures", type=FORMATS, accept_multiple_files=True, key="import_files"
    )
    goes_on = st.checkbox(
        "Run the whole pipeline on each article",
        value=True,
        help="Extract, audit for leaks, write the reference dialogue, run the rules baseline, evaluate and judge. "
        "No key and no network are needed.",
        key="import_pipeline",
    )
    submitted = st.form_submit_button("Import", type="primary", icon=":material/upload_file:")


def figures_read(report: CaseReport | None) -> str:
    """Give `2 of 3` for figures whose images were found."""
    if report is None:
        return ""
    found = sum(all(g.image for g in figure.graphics) and bool(figure.graphics) for figure in report.figures)
    return f"{found} of {len(report.figures)}"


def show(outcomes: tuple[ImportOutcome, ...]) -> None:
    """Draw what became of each article."""
    rows = [
        {
            "File": outcome.source,
            "Case": outcome.id,
            "Status": outcome.status,
            "Title": outcome.report.title if outcome.report else "",
            "Licence": (outcome.report.licence.code or "not stated") if outcome.report else "",
            "Figures with image": figures_read(outcome.report),
            "Reason": outcome.reason,
            "What to do": outcome.next_step,
        }
        for outcome in outcomes
    ]
    n_refused = sum(outcome.status == "refused" for outcome in outcomes)
    st.markdown(f"**{count_of(len(outcomes) - n_refused, 'article')} read, {n_refused} refused**")
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    for outcome in outcomes:
        if outcome.status == "refused":
            st.error(f"{outcome.source}: {outcome.reason} {outcome.next_step}".strip(), icon=":material/block:")
        for warning in outcome.warnings:
            st.caption(f":material/info: {outcome.id}: {warning}")


if submitted and not files:
    st.warning("Choose at least one file first.", icon=":material/info:")
elif submitted:
    bar = st.progress(0.0, "Reading the files")
    try:
        outcomes = import_upload(
            ws,
            {file.name: file.getvalue() for file in files},
            progress=lambda done, total, text: bar.progress(0.1, f"Read {text}"),
        )
    except AppError as error:
        show_error(error)
        outcomes = ()
    # Kept before the pipeline starts: whoever leaves the page meanwhile finds what was read on coming back.
    st.session_state[IMPORT_OUTCOMES] = outcomes
    st.session_state.pop(IMPORT_RUN, None)
    read = [outcome.id for outcome in outcomes if outcome.status != "refused"]
    if goes_on and read:
        run = run_pipeline(
            ws,
            read,
            person=PERSON,
            progress=lambda done, total, text: bar.progress(0.1 + 0.9 * done / max(total, 1), progress_words(text)),
        )
        st.session_state[IMPORT_RUN] = run.id
    bar.empty()

draw_fetch_form(ws)

rows = {row.id: row for row in list_cases(ws)}
outcomes = st.session_state.get(IMPORT_OUTCOMES, ())
if outcomes:
    show(outcomes)
    for outcome in outcomes:
        if outcome.id in rows:
            with st.container(horizontal=True):
                st.page_link(
                    "cases/case.py",
                    label=f"Open {outcome.id}",
                    icon=":material/article:",
                    query_params={"id": outcome.id},
                )
                if rows[outcome.id].n_dialogues:
                    st.page_link(
                        "dialogues/dialogue.py",
                        label="Its dialogues",
                        icon=":material/forum:",
                        query_params={"case": outcome.id},
                    )
    if run_id := st.session_state.get(IMPORT_RUN):
        draw_reasons(get_run(ws, run_id), set(rows))

waiting = {row.id: row.title for row in rows.values() if row.n_images_missing and row.eligibility != "ineligible"}
if waiting:
    st.subheader("Missing pictures")
    st.caption("A case waits until its pictures are there. Attach one by hand to a figure that lacks it.")
    chosen = st.selectbox("Article", list(waiting), format_func=lambda i: f"{i} · {waiting[i]}", key="attach_to")
    missing = [f for f in get_article(ws, chosen).figures if any(g.image is None for g in f.graphics)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        figure = st.selectbox(
            "Figure", [f.id for f in missing], format_func=lambda i: next(f.label or f.id for f in missing if f.id == i)
        )
        picture = st.file_uploader(
            "Picture", type=["jpg", "jpeg", "png", "tif", "tiff", "gif", "webp"], key="attach_file"
        )
        if st.button("Attach", disabled=picture is None or figure is None):
            try:
                attach_image(ws, chosen, figure, picture.name, picture.getvalue(), PERSON)
            except AppError as error:
                show_error(error)
            else:
                st.toast(f"Attached to {figure}. Run the pipeline again under Runs.")
                st.rerun()
