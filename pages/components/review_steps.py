"""The three kinds of screen of the workbench: a turn, the ratings, the reveal."""

from collections.abc import Sequence

import streamlit as st

from core.domain.instrument import Dimension
from core.domain.review import Missing, Rating, ReviewMode, View
from core.domain.review_views import DraftChange, JudgedDimension, JudgeView, Outcome, Reveal, ReviewView, SaveResult
from core.errors import AppError
from core.services import review_commit, review_drafts, review_reveal
from core.services.review import is_blinded
from core.services.workspace import Workspace
from pages.components.image_viewer import image_viewer
from pages.components.match_table import match_tables
from pages.components.notices import errors_shown, show_error
from pages.components.rating_controls import rating_form
from pages.components.turn_view import all_answers_view, answer_view, evidence_view

REGION = "calc(100vh - 255px)"


class Screen:
    """One run of the workbench: whose, which assignment, what is shown."""

    def __init__(self, ws: Workspace, reviewer_id: str, view: ReviewView, *, shows_keys: bool = True) -> None:
        self.ws = ws
        self.reviewer_id = reviewer_id
        self.view = view
        self.shows_keys = shows_keys

    @property
    def id(self) -> str:
        """Id of the assignment; part of every key."""
        return self.view.assignment_id

    def save(self, changes: Sequence[DraftChange]) -> tuple[SaveResult, ...]:
        """Store changes of the form."""
        return review_drafts.save_drafts(self.ws, self.reviewer_id, self.id, changes)

    def form(self, turn: int, title: str) -> None:
        """Draw the form of a turn (0: the whole dialogue)."""
        rating_form(
            self.id,
            turn,
            title,
            self.view.questions[turn],
            self.view.drafts,
            self.save,
            is_read_only=self.view.is_committed or self.view.is_locked,
            shows_keys=self.shows_keys,
            sentences=self.view.sentences,
        )

    def draw_turn(self, index: int) -> None:
        """Draw one turn: evidence, pictures, answer with its ratings, and matches once they may be shown."""
        shown = self.view.turns[:index]
        has_pictures = any(turn.images for turn in shown)
        may_see = not is_blinded(self.view)
        # With the matches beside it the answer needs the room.
        widths = {(True, False): [3, 5, 4], (True, True): [3, 4, 6], (False, False): [5, 5], (False, True): [4, 6]}
        with st.container(key="regions"):
            columns = st.columns(widths[has_pictures, may_see], gap="small")
            with columns[0], st.container(key="evidence"):
                evidence_view(shown, index, f"evidence/{self.id}/{index}", "calc(100vh - 250px)")
            if has_pictures:
                with columns[1], st.container(key="picture"):
                    image_viewer(shown, index, self.id, f"viewer/{self.id}", "calc(100vh - 315px)")
            with columns[-1], st.container(key="answer"):
                height = "max(9rem, calc(100vh - 600px))" if may_see else "max(12rem, calc(100vh - 440px))"
                answer_view(shown[-1], f"answer/{self.id}/{index}", height)
                if may_see:
                    self.draw_matches(index)
                if self.view.mode is ReviewMode.OPEN:
                    self.draw_scores_beside()
                self.form(index, "This turn")

    def draw_matches(self, turn: int) -> None:
        """Draw the match tables of one turn's answer."""
        tables = review_reveal.turn_tables(self.ws, self.reviewer_id, self.id, turn)
        if not tables:
            return
        makers = list(dict.fromkeys(table.made_by for table in tables))
        maker = makers[-1]
        if len(makers) > 1:
            chosen = st.segmented_control("Matched by", makers, default=maker, key=f"maker/{self.id}/{turn}")
            maker = chosen or maker
        match_tables(
            [table for table in tables if table.made_by == maker],
            f"matches/{self.id}/{turn}/{maker}",
            self.save_verdict,
            is_read_only=self.view.is_locked,
        )

    def draw_scores_beside(self) -> None:
        """Draw the judge's scores and justifications beside the answer: open review shows them from the first turn."""
        shown = review_reveal.reveal(self.ws, self.reviewer_id, self.id)
        for judge in shown.judges:
            with st.expander(f"Scores and justifications: {judge.judge}"):
                for entry in judge.dimensions:
                    score = "unscored" if entry.score is None else str(entry.score)
                    st.text(f"{entry.dimension.value.capitalize()} {score} · {entry.justification or entry.unscored}")

    def save_verdict(self, evaluation_id, target, figure_id, row, verdict, output_id, attribute) -> None:  # noqa: ANN001 - as set_verdict
        """Store a verdict on a row."""
        which = (evaluation_id, target, figure_id, row, verdict)
        with errors_shown():
            review_reveal.set_verdict(
                self.ws, self.reviewer_id, self.id, *which, output_id=output_id, attribute=attribute
            )

    def outcome(self) -> Outcome:
        """Give the reported diagnosis and record that it was shown."""
        return review_commit.outcome(self.ws, self.reviewer_id, self.id)

    def draw_rate(self) -> None:
        """Draw the reported diagnosis with the source's reasoning, and the final ratings."""
        try:
            outcome = self.outcome()
        except AppError as error:
            show_error(error)
            return
        with st.container(key="regions"):
            left, right = st.columns([5, 7], gap="medium")
            with left, st.container(key="outcome"):
                with st.container(border=True):
                    st.markdown("**Reported diagnosis**")
                    st.text("\n".join(outcome.final_diagnosis) or "The article states none.")
                    with st.expander("The source's reasoning", expanded=bool(outcome.reasoning)):
                        st.text("\n\n".join(outcome.reasoning) or "The article gives none.")
                all_answers_view(self.view.turns, f"answers/{self.id}", "max(12rem, calc(100vh - 470px))")
            with right, st.container(key="rate"):
                self.form(0, "Ratings of the whole dialogue")

    def draw_reveal(self) -> None:
        """Draw the own ratings beside each judge's, with justifications, then amendments and all matches."""
        try:
            shown = review_reveal.reveal(self.ws, self.reviewer_id, self.id)
        except AppError as error:
            show_error(error)
            return
        with st.container(key="regions"), st.container(key="reveal"):
            self.draw_results(shown)

    def draw_results(self, shown: Reveal) -> None:
        """Draw whose dialogue it was, every judge beside the own ratings, and everything that was matched."""
        st.write(f"This dialogue: **{shown.setting}** · {shown.article} Licence: {shown.licence}.")
        if not shown.judges:
            st.info("No judge has scored this dialogue yet.", icon=":material/hourglass_empty:")
        self.draw_judges(shown)
        if self.view.is_committed and not self.view.is_locked:
            self.draw_amendment(shown)
        with st.expander("All matches of this dialogue", expanded=False):
            match_tables(shown.tables, f"matches/{self.id}/all", self.save_verdict, is_read_only=self.view.is_locked)

    def draw_judges(self, shown: Reveal) -> None:
        """Draw one judge at a time; several are chosen from by name."""
        labels = {}
        for judge in shown.judges:
            again = f" · repeat {judge.repeat + 1}" if judge.repeat else ""
            labels[judge.judgement_id] = f"{judge.judge}{again}" + (" · evidence" if judge.shown == "evidence" else "")
        if not labels:
            return
        chosen = next(iter(labels))
        if len(labels) > 1:
            asked = st.segmented_control(
                "Judge", list(labels), default=chosen, format_func=labels.get, key=f"judge/{self.id}"
            )
            chosen = asked or chosen
        self.draw_judge(next(judge for judge in shown.judges if judge.judgement_id == chosen), shown)

    def draw_judge(self, judge: JudgeView, shown: Reveal) -> None:
        """Draw one judge's scores beside the reviewer's."""
        with st.container(border=True):
            mark = " · demonstration" if judge.is_demonstration else ""
            st.subheader(f"{judge.judge}{mark}")
            st.caption(f"Saw the {judge.shown}; instrument {judge.instrument_version}.")
            widths = [2, 1, 1, 5, 4]
            for column, words in zip(
                st.columns(widths), ("", "you", "judge", "judge's justification", "your view"), strict=True
            ):
                column.markdown(f"**{words}**" if words else "")
            for entry in judge.dimensions:
                name, own, score, why, opinion = st.columns(widths, vertical_alignment="center")
                name.write(entry.dimension.value.capitalize())
                own.write(own_words(shown, entry.dimension))
                score.write(str(entry.score) if entry.score is not None else "unscored")
                why.text(entry.justification or f"Unscored: {entry.unscored}")
                if entry.score is not None:
                    with opinion:
                        self.draw_opinion(judge.judgement_id, entry)

    def draw_opinion(self, judgement_id: str, entry: JudgedDimension) -> None:
        """Draw agree, partly, disagree; the row is compared in the script, so that a restarted server keeps it."""
        options = [view.value for view in View]
        chosen = st.segmented_control(
            f"Your view of the justification for {entry.dimension.value}",
            options,
            default=entry.view.value if entry.view else None,
            key=f"view/{self.id}/{judgement_id}/{entry.dimension.value}",
            label_visibility="collapsed",
            disabled=self.view.is_locked,
        )
        if chosen and chosen != (entry.view.value if entry.view else None):
            with errors_shown():
                review_reveal.set_view(self.ws, self.reviewer_id, self.id, judgement_id, entry.dimension, View(chosen))

    def draw_amendment(self, shown: Reveal) -> None:
        """Draw the way to a second row beside a committed rating."""
        with st.expander("Amend a rating (the committed one stays beside it)"):
            dimension = st.selectbox(
                "Dimension",
                list(Dimension),
                index=None,
                format_func=lambda d: d.value.capitalize(),
                key=f"amend/{self.id}",
            )
            if dimension is None:
                return
            options = [1, 2, 3, 4, 5, *(m.value for m in Missing)]
            value = st.segmented_control("New rating", options, key=f"amend/{self.id}/{dimension.value}/score")
            why = st.text_area("Reason", key=f"amend/{self.id}/{dimension.value}/why", max_chars=2000)
            if st.button("Add the amendment", disabled=value is None, key=f"amend/{self.id}/go"):
                rating = Rating(
                    dimension=dimension,
                    score=value if isinstance(value, int) else None,
                    missing=None if isinstance(value, int) else Missing(value),
                    reason=why,
                    confidence=shown.own[dimension].rating.confidence,
                )
                with errors_shown():
                    review_commit.amend(self.ws, self.reviewer_id, self.id, rating, why)
                    st.rerun()


def own_words(shown: Reveal, dimension: Dimension) -> str:
    """Give the reviewer's rating in words, with the first one when it was amended."""
    if dimension not in shown.own:
        return "not yet"
    first, newest = shown.first[dimension].rating, shown.own[dimension].rating
    short = {Missing.NOT_APPLICABLE: "n/a", Missing.CANNOT_JUDGE: "can't judge"}
    words = [str(r.score) if r.score is not None else short[r.missing] for r in (first, newest)]
    return words[1] if shown.own[dimension].revision == 1 else f"{words[1]} (was {words[0]})"
