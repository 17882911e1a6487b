"""The rows of every exported table, from what is stored. Absences stay None."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from core.dialogue import RULES_BASELINE
from core.domain.article import CaseReport, Licence
from core.domain.dialogue import Dialogue
from core.domain.items import HEADLINE_LEVEL, Counts
from core.domain.review import RatingRow
from core.export.bundle import Row
from core.services.review_rows import committed_ratings, committed_turn_answers, item_verdicts
from core.services.workspace import Workspace
from core.storage import articles, dialogues, evaluations, judgements
from core.storage.dialogues import DialogueListing
from core.storage.evaluations import EvaluationListing, StoredCounts
from core.storage.export_values import item_values, match_values
from core.storage.judgements import StoredJudgedScore


@dataclass(frozen=True)
class ExportRows:
    """Gives the rows of each table; what several tables need is read once.

    Attributes:
        workspace: the study.
    """

    workspace: Workspace

    @cached_property
    def reports(self) -> dict[str, tuple[CaseReport, int, bool]]:
        """Article id -> (article, its version, whether it is demonstration material)."""
        with self.workspace.store.read() as session:
            return {
                row.id: (articles.get_article(session, row.id, row.version), row.version, row.is_demonstration)
                for row in articles.list_articles(session)
            }

    @cached_property
    def listings(self) -> dict[str, DialogueListing]:
        """Dialogue id -> its listing, by case and time."""
        with self.workspace.store.read() as session:
            return {row.id: row for row in dialogues.list_dialogues(session)}

    @cached_property
    def evaluations(self) -> dict[str, EvaluationListing]:
        """Evaluation id -> its listing."""
        with self.workspace.store.read() as session:
            return {row.id: row for row in evaluations.list_evaluations(session)}

    @cached_property
    def counts(self) -> tuple[StoredCounts, ...]:
        """Counts of every target."""
        with self.workspace.store.read() as session:
            return evaluations.list_counts(session)

    @cached_property
    def judged(self) -> tuple[StoredJudgedScore, ...]:
        """Every judged score."""
        with self.workspace.store.read() as session:
            return judgements.list_judged_scores(session)

    @cached_property
    def ratings(self) -> list[RatingRow]:
        """Every committed rating and amendment."""
        return committed_ratings(self.workspace, with_amendments=True)

    def of(self, table: str) -> Iterator[Row]:
        """Give the rows of a table of `core.export.tables` by its name."""
        makers: dict[str, Callable[[], Iterator[Row]]] = {
            "articles": self.article_rows,
            "dialogues": self.dialogue_rows,
            "turns": self.turn_rows,
            "atomic_scores": self.score_rows,
            "items": self.item_rows,
            "matches": self.match_rows,
            "judge_scores": self.judge_rows,
            "ratings": self.rating_rows,
            "turn_answers": self.turn_answer_rows,
            "item_verdicts": self.verdict_rows,
            "coverage": self.coverage_rows,
        }
        return makers[table]()

    def licence(self, case_id: str) -> Licence:
        """Licence of a case's article; not stated when the article is not stored."""
        return self.reports[case_id][0].licence if case_id in self.reports else Licence()

    def article_rows(self) -> Iterator[Row]:
        """One row per article."""
        for case_id, (report, version, is_demonstration) in self.reports.items():
            yield {
                "case_id": case_id,
                "article_version": version,
                "title": report.title,
                "authors": report.authors,
                "journal": report.journal,
                "published_on": report.published_on,
                "doi": report.identifiers.doi,
                "pmcid": report.identifiers.pmcid,
                "source": report.source,
                "licence_url": report.licence.url,
                "forbids_adaptation": report.licence.forbids_adaptation,
                "forbids_commercial_use": report.licence.forbids_commercial_use,
                "is_demonstration": is_demonstration,
                "is_rules_baseline": False,
                "article_licence": report.licence.code,
            }

    def dialogue_rows(self) -> Iterator[Row]:
        """One row per dialogue."""
        for listing, dialogue in self._documents():
            yield {
                **self._place(listing),
                "kind": listing.kind,
                "repeat": listing.repeat,
                "engine": listing.engine,
                "model": listing.model,
                "plan_sha256": listing.plan_sha256,
                "n_turns": listing.n_turns,
                "n_failed": listing.n_failed,
                "has_synthesis": listing.has_synthesis,
                "code_version": dialogue.made_by.code_version,
                "made_at": listing.made_at,
            }

    def turn_rows(self) -> Iterator[Row]:
        """One row per turn."""
        for listing, dialogue in self._documents():
            for turn in dialogue.turns:
                facts = turn.facts
                yield {
                    **self._place(listing),
                    "turn": turn.staged.index,
                    "stage": turn.staged.stage,
                    "figure_id": turn.staged.figure_id,
                    "status": turn.status,
                    "problem": turn.problem,
                    "is_evaluable": turn.is_evaluable,
                    "response": turn.response,
                    "stop_reason": facts.stop_reason if facts else None,
                    "input_tokens": facts.usage.input_tokens if facts else None,
                    "output_tokens": facts.usage.output_tokens if facts else None,
                    "latency_s": facts.latency_s if facts else None,
                    "cost_usd": facts.cost_usd if facts else None,
                }

    def score_rows(self) -> Iterator[Row]:
        """One row per target (and figure) of every evaluation."""
        for stored in self.counts:
            evaluation = self.evaluations[stored.evaluation_id]
            by_rules = RULES_BASELINE in (evaluation.decomposer, evaluation.matcher)
            is_scored = not stored.unscored_reason
            row = {
                **self._result(stored, by_rules),
                "decomposer": evaluation.decomposer,
                "matcher": evaluation.matcher,
                "reference_set_id": evaluation.reference_set_id,
                "headline_level": HEADLINE_LEVEL[stored.target],
                "n_reference": stored.n_reference if is_scored else None,
                "n_output": stored.n_output if is_scored else None,
                "is_vacuous": stored.n_reference + stored.n_output == 0 if is_scored else None,
                "unscored_reason": stored.unscored_reason,
            }
            for level, tp in (("strict", stored.tp_strict), ("lenient", stored.tp_lenient)):
                counts = None if tp is None else Counts(tp=tp, fp=stored.n_output - tp, fn=stored.n_reference - tp)
                for name in ("tp", "fp", "fn", "precision", "recall", "f1"):
                    row[f"{name}_{level}"] = getattr(counts, name) if counts else None
            yield row

    def item_rows(self) -> Iterator[Row]:
        """One row per item."""
        with self.workspace.store.read() as session:
            for evaluation_id, target, figure_id, side, item_id, text, sentence, marked, count in item_values(session):
                yield {
                    **self._place_of(evaluation_id, "decomposer"),
                    "target": target.value,
                    "figure_id": figure_id,
                    "side": side.value,
                    "item_id": item_id,
                    "text": text,
                    "sentence": sentence,
                    "is_annotation": marked,
                    "count": count,
                }

    def match_rows(self) -> Iterator[Row]:
        """One row per row of a match table."""
        with self.workspace.store.read() as session:
            for values in match_values(session):
                evaluation_id, target, figure_id, pairing, reference, output, reason, *texts = values
                yield {
                    **self._place_of(evaluation_id, "matcher"),
                    "target": target.value,
                    "figure_id": figure_id,
                    "pairing": pairing.value,
                    "reference_item": reference,
                    "output_item": output,
                    "reference_text": texts[0],
                    "output_text": texts[1],
                    "reason": reason,
                }

    def _place_of(self, evaluation_id: str, role: str) -> Row:
        """Give what every row of an evaluation begins with; made once for each of its thousands of rows."""
        key = (evaluation_id, role)
        if key not in self._places:
            evaluation = self.evaluations[evaluation_id]
            by_rules = getattr(evaluation, role) == RULES_BASELINE
            self._places[key] = {
                **self._place(self.listings[evaluation.dialogue_id], by_rules),
                "evaluation_id": evaluation_id,
            }
        return self._places[key]

    @cached_property
    def _places(self) -> dict[tuple[str, str], Row]:
        return {}

    def judge_rows(self) -> Iterator[Row]:
        """One row per dimension of every judgement."""
        for stored in self.judged:
            place = self._place(self.listings[stored.dialogue_id], stored.judge == RULES_BASELINE)
            yield {
                **place,
                "is_demonstration": place["is_demonstration"] or stored.is_demonstration,
                "evaluation_id": stored.evaluation_id,
                "judgement_id": stored.judgement_id,
                "judge": stored.judge,
                "mode": stored.mode,
                "instrument_version": stored.instrument_version,
                "repeat": stored.repeat,
                "dimension": stored.dimension,
                "score": stored.score,
                "unscored_reason": stored.unscored_reason,
                "justification": stored.justification,
                "made_at": stored.made_at,
            }

    def rating_rows(self) -> Iterator[Row]:
        """One row per committed rating and amendment."""
        for rating in self.ratings:
            place = self._place(self.listings[rating.dialogue_id])
            yield {**rating.__dict__, **place, "is_demonstration": rating.is_demonstration or place["is_demonstration"]}

    def turn_answer_rows(self) -> Iterator[Row]:
        """One row per committed answer about a turn."""
        for answer in committed_turn_answers(self.workspace):
            place = self._place(self.listings[answer.dialogue_id])
            yield {**answer.__dict__, **place, "is_demonstration": answer.is_demonstration or place["is_demonstration"]}

    def verdict_rows(self) -> Iterator[Row]:
        """One row per reviewer's verdict on a row of a match table."""
        for verdict in item_verdicts(self.workspace):
            place = self._place(self.listings[verdict["dialogue_id"]])
            is_demonstration = verdict["is_demonstration"] or place["is_demonstration"]
            yield {**verdict, **place, "is_demonstration": is_demonstration}

    def coverage_rows(self) -> Iterator[Row]:
        """One row per dialogue with how far it has come."""
        newest = {evaluation.dialogue_id: evaluation.id for evaluation in self.evaluations.values()}
        n_evaluations = Counter(evaluation.dialogue_id for evaluation in self.evaluations.values())
        targets = Counter((c.evaluation_id, bool(c.unscored_reason)) for c in self.counts)
        dimensions = Counter((score.dialogue_id, score.score is None) for score in self.judged)
        judged = Counter(dialogue_id for _, dialogue_id in {(s.judgement_id, s.dialogue_id) for s in self.judged})
        raters = Counter(dialogue_id for _, dialogue_id in {(r.reviewer, r.dialogue_id) for r in self.ratings})
        for listing in self.listings.values():
            yield {
                **self._place(listing),
                "n_turns": listing.n_turns,
                "n_answered": listing.n_turns - listing.n_failed,
                "n_evaluations": n_evaluations[listing.id],
                "n_targets_scored": targets[newest.get(listing.id), False],
                "n_targets_unscored": targets[newest.get(listing.id), True],
                "n_judgements": judged[listing.id],
                "n_dimensions_scored": dimensions[listing.id, False],
                "n_dimensions_unscored": dimensions[listing.id, True],
                "n_raters": raters[listing.id],
            }

    def _documents(self) -> Iterator[tuple[DialogueListing, Dialogue]]:
        with self.workspace.store.read() as session:
            for listing in self.listings.values():
                yield listing, dialogues.get_dialogue(session, listing.id)

    def _place(self, listing: DialogueListing, by_rules: bool = False) -> Row:
        article = self.reports.get(listing.case_id)
        return {
            "case_id": listing.case_id,
            "case_version": listing.case_version,
            "dialogue_id": listing.id,
            "setting": listing.setting,
            "is_demonstration": listing.is_demonstration or bool(article and article[2]),
            "is_rules_baseline": by_rules or listing.model == RULES_BASELINE,
            "article_licence": self.licence(listing.case_id).code,
        }

    def _result(self, stored, by_rules: bool) -> Row:  # noqa: ANN001 - counts, an item or a match row
        return {
            **self._place(self.listings[self.evaluations[stored.evaluation_id].dialogue_id], by_rules),
            "evaluation_id": stored.evaluation_id,
            "target": stored.target,
            "figure_id": stored.figure_id,
        }
