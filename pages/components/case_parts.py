"""Parts of the case page: the turns as sent, the leak audit, the figures with what the text says of them."""

import pandas as pd
import streamlit as st

from core.domain.article import CaseReport, Figure, ImageRef
from core.domain.case import CaseRepresentation, FigureEvidence, LeakAction, LeakHit, Verdict
from core.domain.dialogue import DisclosurePlan
from core.errors import AppError
from core.services.cases import CaseListing, image_bytes
from core.services.correcting import decide_leak
from core.services.extracting import confirm_figure, confirmed_figures
from core.services.workspace import Workspace
from pages.components.notices import empty, show_error
from pages.components.words import action_words, count_of, plain, stage_name, verdict_words

_COLOURS = {Verdict.BLOCKS: "red", Verdict.WARNS: "orange", Verdict.NOTES: "gray"}
_ACTIONS = (LeakAction.WITHHELD, LeakAction.TRIMMED, LeakAction.MOVED, LeakAction.WAIVED)
PERSON = "study lead"


def draw_image(ws: Workspace, image: ImageRef, caption: str, width: int = 420) -> None:
    """Draw a stored image at most `width` px wide, larger on demand, or say that it cannot be read."""
    try:
        # A width given to st.image itself would shrink the pixels that the enlarged view shows.
        with st.container(width=min(width, image.width_px)):
            _pixels(ws, image.sha256, caption, "PNG" if image.media_type == "image/png" else "auto")
    except AppError as error:
        show_error(error)


@st.cache_data(max_entries=400, show_spinner=False)
def _pixels(_ws: Workspace, sha256: str, caption: str, output_format: str) -> None:
    # st.image decodes and shrinks a wide picture on every run of a page (30 ms each): kept here, by content, it is
    # replayed. A picture is the same for everyone who may open this page, so nothing blinded is shared.
    st.image(image_bytes(_ws, sha256), caption=caption, width="stretch", output_format=output_format, alt=caption)


def draw_turns(ws: Workspace, plan: DisclosurePlan) -> None:
    """Draw every turn exactly as a model receives it, and what is left out with its reason."""
    st.caption(
        "Byte for byte what every model receives: the whole conversation so far is sent each time, images without "
        "their names and metadata."
    )
    with st.expander("Instruction before the first turn"):
        st.text(plan.system_prompt)
    for turn in plan.turns:
        title = f"Turn {turn.index} · {stage_name(turn.stage)}"
        if turn.figure_label:
            title += f" · {turn.figure_label}"
        with st.expander(title, expanded=turn.index == 1):
            text, pictures = st.columns([3, 2]) if turn.images else (st.container(), None)
            text.text(turn.prompt)
            if pictures:
                with pictures:
                    for number, image in enumerate(turn.images, start=1):
                        draw_image(ws, image.original, f"image {number}, {turn.modality}")
    if plan.skipped:
        st.markdown("**Not shown to a model**")
        for skipped in plan.skipped:
            name = stage_name(skipped.stage) + (f", {skipped.figure_id}" if skipped.figure_id else "")
            st.caption(f"{name}: {skipped.reason}")


def draw_leaks(ws: Workspace, case: CaseRepresentation) -> None:
    """Draw the audit's hits, open ones first, each with its decision."""
    if not case.leaks:
        empty("No hit", "No text that a model would see names the answer or a part of it.")
        return
    st.caption(
        "Every text a model would see was searched for the answer. A case is released when no blocking hit is open. "
        "Each decision makes a new version of the case."
    )
    texts = {value.id: value.text for values in case.elements.values() for value in values}
    shown = {id(hit): texts.get(hit.value_id, hit.text) for hit in case.leaks}
    numbered = list(enumerate(case.leaks))
    for number, hit in sorted(numbered, key=lambda pair: (*_urgency(pair[1]), pair[1].turn, pair[0])):
        if hit.verdict is not Verdict.NOTES:
            with st.container(border=True):
                _draw_hit(ws, case, number, hit, shown[id(hit)])
    notes = [hit for hit in case.leaks if hit.verdict is Verdict.NOTES]
    if notes:
        with st.expander(f"{count_of(len(notes), 'note')}: words of the answer where they may stand"):
            for hit in notes:
                st.markdown(f"Turn {hit.turn}, {hit.stage}: names **{plain(hit.term)}**")
                st.text(_with_hit_marked(shown[id(hit)], hit))


def _urgency(hit: LeakHit) -> tuple[bool, bool]:
    return not hit.is_open, hit.action is not LeakAction.NONE


def _draw_hit(ws: Workspace, case: CaseRepresentation, number: int, hit: LeakHit, text: str) -> None:
    words, decision = st.columns([3, 2])
    with words:
        st.badge(verdict_words(hit.verdict), color=_COLOURS[hit.verdict])
        st.markdown(f"Turn {hit.turn}, {hit.stage}: names **{plain(hit.term)}**")
        st.text(_with_hit_marked(text, hit))
    with decision:
        if hit.action is not LeakAction.NONE:
            st.markdown(f"**{action_words(hit.action)}** by {hit.decided_by or 'automatic'}")
            if hit.reason:
                st.caption(plain(hit.reason.replace("`", "")))
            return
        key = f"leak-{case.case_id}-{case.version}-{number}"
        action = st.selectbox(
            "Decision", _ACTIONS, index=None, format_func=action_words, placeholder="what to do", key=f"{key}-action"
        )
        reason = st.text_input("Reason", key=f"{key}-reason", placeholder="needed when waived")
        if st.button("Save decision", key=f"{key}-save", disabled=action is None):
            try:
                decide_leak(ws, case.case_id, case.version, number, action, PERSON, reason)
            except AppError as error:
                show_error(error)
            else:
                st.rerun()


def _with_hit_marked(text: str, hit: LeakHit) -> str:
    if text[hit.start : hit.end] != hit.text:
        return text
    return f"{text[: hit.start]}⟦{hit.text}⟧{text[hit.end :]}"


def draw_versions(case: CaseRepresentation, listed: tuple[CaseListing, ...]) -> None:
    """Draw all versions of a case, newest first, and why the newest was made."""
    rows = [
        {
            "Version": v.version,
            "Article version": v.article_version,
            "State": v.eligibility,
            "Released": "yes" if v.is_released else "no",
            "Open leaks": v.n_open_leaks,
            "Made by": v.made_by,
            "At (UTC)": v.made_at.strftime("%Y-%m-%d %H:%M"),
        }
        for v in reversed(listed)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    n_decided = sum(hit.action is not LeakAction.NONE for hit in case.leaks)
    st.caption(f"{n_decided} of {len(case.leaks)} leak hits decided in this version. {case.change_reason}")


def draw_figures(ws: Workspace, article: CaseReport, case: CaseRepresentation) -> None:
    """Draw each figure with its pictures, caption, modality, findings, significance, flags and confirmation."""
    if not article.figures:
        empty("No figure", "The article has no figure of its own.")
        return
    confirmed = confirmed_figures(ws, case.case_id)
    evidence = {figure.figure_id: figure for figure in case.figures}
    for figure in article.figures:
        with st.container(border=True):
            pictures, text = st.columns([2, 3])
            with pictures:
                for graphic in figure.graphics:
                    if graphic.image:
                        draw_image(ws, graphic.image, graphic.file_name or graphic.href)
                    else:
                        st.warning(f"{graphic.href or 'A graphic'}: {graphic.problem}", icon=":material/hide_image:")
            with text:
                _draw_evidence(ws, article, figure, evidence.get(figure.id), case, confirmed)


def _draw_evidence(
    ws: Workspace,
    article: CaseReport,
    figure: Figure,
    evidence: FigureEvidence | None,
    case: CaseRepresentation,
    confirmed: dict[str, str],
) -> None:
    st.markdown(f"**{plain(figure.label or figure.id)}**")
    cited = f"first cited in “{figure.first_cited_in}”, rank {figure.citation_rank}" if figure.citation_rank else ""
    st.caption(" · ".join(filter(None, [evidence.modality if evidence else "", cited or "never cited in the text"])))
    if evidence:
        for flag in evidence.flags:
            st.badge(f"figure of {flag}", color="orange")
        for name, values in (("Shows", evidence.findings), ("Means", evidence.significance)):
            for value in values:
                st.markdown(f"{name}: {plain(value.text)}")
        if not evidence.findings:
            st.caption("The article reports no finding for this figure: its turn is not scored.")
    with st.expander("Caption (never shown to a model)"):
        st.text(article.caption(figure) or "no caption")
    if figure.id in confirmed:
        st.caption(f":material/check: {confirmed[figure.id]}")
    elif any(graphic.image for graphic in figure.graphics):
        st.caption("Not confirmed yet: has anyone looked whether the answer is written into the picture?")
        if st.button("I looked: no answer in the picture", key=f"confirm-{case.case_id}-{figure.id}"):
            confirm_figure(ws, case.case_id, figure.id, PERSON)
            st.rerun()
