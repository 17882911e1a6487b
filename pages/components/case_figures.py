"""The figures of a case: pictures, what the text says of them, corrections, and the confirmation by eye."""

import streamlit as st

from core.domain.article import CaseReport, Figure
from core.domain.case import CaseRepresentation, FigureEvidence, FigureFlag, Modality
from core.services.correcting import attach_picture, correct_figure
from core.services.extracting import confirm_figure, confirmed_figures
from core.services.workspace import Workspace
from pages.components.case_parts import draw_image
from pages.components.notices import empty
from pages.components.saving import reason_field, save, signed_as
from pages.components.words import plain

PICTURES = ["jpg", "jpeg", "png", "tif", "tiff", "gif", "webp"]


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
                if any(graphic.image is None for graphic in figure.graphics):
                    _draw_attach(ws, case, figure)
            with text:
                _draw_evidence(article, figure, evidence.get(figure.id))
                _draw_confirmation(ws, case, figure, confirmed)
                if figure.id in evidence:
                    with st.expander("Correct this figure"):
                        _draw_correction(ws, case, evidence[figure.id])


def _draw_evidence(article: CaseReport, figure: Figure, evidence: FigureEvidence | None) -> None:
    st.markdown(f"**{plain(figure.label or figure.id)}**")
    cited = f"first cited in “{figure.first_cited_in}”, rank {figure.citation_rank}" if figure.citation_rank else ""
    st.caption(" · ".join(filter(None, [evidence.modality if evidence else "", cited or "never cited in the text"])))
    if evidence:
        if evidence.is_excluded:
            st.badge("excluded from dialogues", color="red")
        for flag in evidence.flags:
            st.badge(f"figure of {flag}", color="orange")
        for name, values in (("Shows", evidence.findings), ("Means", evidence.significance)):
            for value in values:
                st.markdown(f"{name}: {plain(value.text)}")
        if not evidence.findings:
            st.caption("The article reports no finding for this figure: its turn is not scored.")
    with st.expander("Caption (never shown to a model)"):
        st.text(article.caption(figure) or "no caption")


def _draw_confirmation(ws: Workspace, case: CaseRepresentation, figure: Figure, confirmed: dict[str, str]) -> None:
    if not any(graphic.image for graphic in figure.graphics):
        return
    if figure.id in confirmed:
        st.caption(f":material/check: {confirmed[figure.id]}")
    else:
        st.caption("Not confirmed yet: has anyone looked whether the answer is written into the picture?")
    with st.container(horizontal=True):
        if figure.id not in confirmed and st.button(
            "I looked: no answer in the picture", key=f"confirm-{case.case_id}-{figure.id}"
        ):
            confirm_figure(ws, case.case_id, figure.id, signed_as())
            st.rerun()
        if "names it" not in confirmed.get(figure.id, "") and st.button(
            "The picture names it", key=f"names-{case.case_id}-{figure.id}", help="Exclude the figure then."
        ):
            confirm_figure(ws, case.case_id, figure.id, signed_as(), is_clean=False)
            st.rerun()


def _draw_correction(ws: Workspace, case: CaseRepresentation, evidence: FigureEvidence) -> None:
    stem = f"{case.case_id}-{case.version}-{evidence.figure_id}"
    with st.form(f"figure-{stem}", border=False):
        modality = st.selectbox(
            "Modality", list(Modality), index=list(Modality).index(evidence.modality), key=f"modality-{stem}"
        )
        flags = st.multiselect("It is a figure of", list(FigureFlag), default=list(evidence.flags), key=f"flags-{stem}")
        is_excluded = st.checkbox("Leave it out of dialogues", value=evidence.is_excluded, key=f"excluded-{stem}")
        reason = reason_field(f"figure-reason-{stem}")
        pressed = st.form_submit_button("Save figure", icon=":material/save:")
    if pressed:
        save(
            lambda: correct_figure(
                ws,
                case.case_id,
                case.version,
                evidence.figure_id,
                signed_as(),
                reason,
                modality=modality,
                flags=flags,
                is_excluded=is_excluded,
            )
        )


def _draw_attach(ws: Workspace, case: CaseRepresentation, figure: Figure) -> None:
    stem = f"{case.case_id}-{case.version}-{figure.id}"
    picture = st.file_uploader("Attach the missing picture", type=PICTURES, key=f"attach-{stem}")
    if st.button("Attach", key=f"attach-save-{stem}", disabled=picture is None) and picture is not None:
        save(
            lambda: attach_picture(
                ws, case.case_id, case.version, figure.id, picture.name, picture.getvalue(), signed_as()
            )
        )
