"""A form that fetches articles from PMC by their ids, with what PMC says of each before it is fetched."""

from dataclasses import replace

import streamlit as st

from core.errors import AppError
from core.services.fetching import Announced, FetchOutcome, fetch_articles, ids_in
from core.services.importing import ImportOutcome
from core.services.pipeline import run_pipeline
from core.services.workspace import Workspace
from pages.components.notices import show_error
from pages.components.run_parts import PERSON, progress_words
from pages.components.state import IMPORT_OUTCOMES, IMPORT_RUN
from pages.components.words import plain

MOST_IDS = 50
"""More would keep the page busy for many minutes; the command line shows progress and goes on where it stopped."""


def draw_fetch_form(ws: Workspace) -> None:
    """Draw the form; when it is sent, fetch, import, and leave the outcomes where the page's own table shows them.

    Every article's outcome is kept as soon as it is there, so that leaving the page loses nothing that is stored.
    """
    with (
        st.expander("Fetch from PMC by id", icon=":material/cloud_download:"),
        st.form("fetch", border=False, enter_to_submit=False),
    ):
        text = st.text_area(
            "PMCIDs",
            placeholder="PMC6497212, PMC5894222",
            height=68,
            help="Separated by commas, blanks or lines. PMC6497212.1 names one version.",
            key="fetch_ids",
        )
        goes_on = st.checkbox("Run the whole pipeline on each article", value=True, key="fetch_pipeline")
        submitted = st.form_submit_button("Fetch", icon=":material/cloud_download:")
        st.caption("Needs the internet. Nothing but the ids is sent, to PMC's open access collection.")
    if not submitted:
        return
    ids = ids_in(text)
    if not ids:
        st.warning("Type at least one PMCID first.", icon=":material/info:")
    elif len(ids) > MOST_IDS:
        st.warning(
            f"That is {len(ids)} articles; this form takes {MOST_IDS} at a time. For long lists use the command line: "
            "`python -m core fetch --list FILE`.",
            icon=":material/info:",
        )
    else:
        _fetch(ws, ids, goes_on)


def _fetch(ws: Workspace, ids: tuple[str, ...], goes_on: bool) -> None:
    bar = st.progress(0.0, "Asking PMC")
    said = st.container()
    outcomes: list[ImportOutcome] = []
    share = 0.5 if goes_on else 1.0
    st.session_state[IMPORT_OUTCOMES] = ()
    st.session_state.pop(IMPORT_RUN, None)
    try:
        for outcome in fetch_articles(
            ws,
            ids,
            progress=lambda done, total, text: bar.progress(share * done / max(total, 1), f"Fetching {text}".strip()),
            announce=lambda announced: _say(said, announced),
        ):
            outcomes.append(as_import(outcome))
            st.session_state[IMPORT_OUTCOMES] = tuple(outcomes)
    except AppError as error:
        show_error(error)
    read = list(dict.fromkeys(outcome.id for outcome in outcomes if outcome.status != "refused"))
    if goes_on and read:
        run = run_pipeline(
            ws,
            read,
            person=PERSON,
            progress=lambda done, total, text: bar.progress(0.5 + 0.5 * done / max(total, 1), progress_words(text)),
        )
        st.session_state[IMPORT_RUN] = run.id
    bar.empty()


def _say(place: st.delta_generator.DeltaGenerator, announced: Announced) -> None:
    if announced.is_retracted:
        place.warning(plain(str(announced)), icon=":material/warning:")
    else:
        place.caption(f":material/info: {plain(str(announced))}")


def as_import(outcome: FetchOutcome) -> ImportOutcome:
    """Give a fetched article's outcome as the table of imports shows it, the warnings of fetching among its own."""
    asked = f"{outcome.id}.{outcome.version}" if outcome.version is not None else outcome.id
    imported = outcome.imported
    if imported is None:
        return ImportOutcome("", asked, outcome.status, outcome.reason, outcome.next_step)
    if imported.report is None:
        return imported
    report = imported.report.model_copy(update={"warnings": outcome.warnings})
    return replace(imported, source=asked, report=report)
