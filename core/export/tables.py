"""What is exported: every table and column with its description. Rows are checked against this when written."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExportColumn:
    """One column: its name, what a value means, and its unit, range or allowed values."""

    name: str
    description: str
    values: str = "text"


@dataclass(frozen=True)
class ExportTable:
    """One table: what a row is, and its columns in their order."""

    name: str
    row_is: str
    columns: tuple[ExportColumn, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in their order."""
        return tuple(column.name for column in self.columns)


_C = ExportColumn
_YES_NO = "true or false"
_TIME = "UTC, ISO 8601"
_COUNT = "whole number, 0 or more"
_SHARE = "0-1; empty when undefined or unscored"

_LABELS = (
    _C("is_demonstration", "the row rests on material written by hand for the demonstration study", _YES_NO),
    _C(
        "is_rules_baseline",
        "the dialogue or the result in the row was made by the rules baseline, not by a model",
        _YES_NO,
    ),
    _C("article_licence", "licence of the article the row rests on; empty when the article states none"),
)
_CASE = (
    _C("case_id", "the case, named as its article"),
    _C("case_version", "version of the case representation", "whole number from 1"),
)
_DIALOGUE = (
    *_CASE,
    _C("dialogue_id", "the dialogue"),
    _C("setting", "column of the dialogue in tables: reference, a model's registry name, or an import's label"),
)
_RESULT = (
    *_DIALOGUE,
    _C("evaluation_id", "the atomic evaluation"),
    _C("target", "what is scored", "final_diagnosis, diagnostic_reasoning, image_findings"),
    _C("figure_id", "the figure, for image findings; empty else"),
)

ARTICLES = ExportTable(
    "articles",
    "one article in its newest version",
    (
        _C("case_id", "the article, and the case made from it"),
        _C("article_version", "version of the stored article", "whole number from 1"),
        _C("title", "as published"),
        _C("authors", "as published, separated by semicolons"),
        _C("journal", "as published"),
        _C("published_on", "publication date as far as the source states it", "ISO date, year or year and month"),
        _C("doi", "digital object identifier; empty when the source names none"),
        _C("pmcid", "PubMed Central identifier; empty when the source names none"),
        _C("source", "name of the file it was read from"),
        _C("licence_url", "address of the licence; empty when not stated"),
        _C("forbids_adaptation", "the licence forbids derivatives (ND)", _YES_NO),
        _C("forbids_commercial_use", "the licence forbids commercial use (NC)", _YES_NO),
        *_LABELS,
    ),
)

DIALOGUES = ExportTable(
    "dialogues",
    "one dialogue",
    (
        *_DIALOGUE,
        _C("kind", "where the answers come from", "reference, model, imported"),
        _C("repeat", "index of the repeat of a test model", "whole number from 0"),
        _C("engine", "engine that made it", "rules, recorded, openai, anthropic, person, import"),
        _C("model", "registry name of what made it"),
        _C("plan_sha256", "hash of the disclosure plan; equal for all dialogues that saw the same prompts"),
        _C("n_turns", "turns of the plan", _COUNT),
        _C("n_failed", "turns without an answer", _COUNT),
        _C(
            "has_synthesis",
            "the synthesis turn has an answer; without it diagnosis and reasoning are unscored",
            _YES_NO,
        ),
        _C("code_version", "version of CaseRounds that made it"),
        _C("made_at", "when it was made", _TIME),
        *_LABELS,
    ),
)

TURNS = ExportTable(
    "turns",
    "one turn of one dialogue",
    (
        *_DIALOGUE,
        _C("turn", "number of the turn", "whole number from 1"),
        _C("stage", "stage of the disclosure protocol", "history, examination, image, synthesis"),
        _C("figure_id", "the figure of an image turn; empty else"),
        _C("status", "whether there is an answer", "answered, refused, truncated, failed"),
        _C("problem", "why there is no answer; empty when there is one"),
        _C("is_evaluable", "false for a reference turn whose figure has no article finding", _YES_NO),
        _C("response", "the answer as given; empty when there is none"),
        _C("stop_reason", "as the provider reported it; empty for written and imported answers"),
        _C("input_tokens", "as the provider counted; empty when it did not say", _COUNT),
        _C("output_tokens", "as the provider counted; empty when it did not say", _COUNT),
        _C("latency_s", "time of the last attempt; empty for written and imported answers", "seconds"),
        _C("cost_usd", "price of the call; empty when the registry has no price", "US dollars"),
        *_LABELS,
    ),
)

ATOMIC_SCORES = ExportTable(
    "atomic_scores",
    "one target (for image findings: one figure) of one evaluation",
    (
        *_RESULT,
        _C("decomposer", "what split the texts into items"),
        _C("matcher", "what proposed the pairs"),
        _C("reference_set_id", "the shared reference items; scores of different sets are not comparable"),
        _C("headline_level", "level at which this target is reported", "strict, lenient"),
        _C("n_reference", "reference items; empty when unscored", _COUNT),
        _C("n_output", "output items; empty when unscored", _COUNT),
        *(
            column
            for level in ("strict", "lenient")
            for column in (
                _C(f"tp_{level}", f"true positives at {level} level; empty when unscored", _COUNT),
                _C(f"fp_{level}", f"output items without counterpart at {level} level; empty when unscored", _COUNT),
                _C(f"fn_{level}", f"reference items without counterpart at {level} level; empty when unscored", _COUNT),
                _C(f"precision_{level}", "tp / (tp + fp); 1 when both sides are empty", _SHARE),
                _C(f"recall_{level}", "tp / (tp + fn); 1 when both sides are empty", _SHARE),
                _C(f"f1_{level}", "2 tp / (2 tp + fp + fn); 1 when both sides are empty", _SHARE),
            )
        ),
        _C("is_vacuous", "both sides are empty; empty when unscored", _YES_NO),
        _C("unscored_reason", "why there are no numbers; empty when there are"),
        *_LABELS,
    ),
)

ITEMS = ExportTable(
    "items",
    "one atomic item of one evaluation",
    (
        *_RESULT,
        _C("side", "the article's side or the evaluated dialogue's", "reference, output"),
        _C("item_id", "neutral id, unique within side, target and figure"),
        _C("text", "the item"),
        _C("sentence", "the sentence it came from, verbatim"),
        _C("is_annotation", "speaks of arrows, coloured markers or panel letters", _YES_NO),
        _C("count", "how many exact duplicates were merged into it", "whole number from 1"),
        *_LABELS,
    ),
)

MATCHES = ExportTable(
    "matches",
    "one row of a match table; a contradiction stands beside the missing and extra rows of its two items",
    (
        *_RESULT,
        _C("pairing", "what the row says", "strict, lenient, missing, extra, contradiction"),
        _C("reference_item", "id of the reference item; empty for extra"),
        _C("output_item", "id of the output item; empty for missing"),
        _C("reference_text", "text of the reference item; empty for extra"),
        _C("output_text", "text of the output item; empty for missing"),
        _C("reason", "the matcher's reason; may be empty"),
        *_LABELS,
    ),
)

JUDGE_SCORES = ExportTable(
    "judge_scores",
    "one dimension of one judgement",
    (
        *_DIALOGUE,
        _C("evaluation_id", "the atomic evaluation the judge was shown"),
        _C("judgement_id", "the judgement"),
        _C("judge", "registry name of the judge"),
        _C("mode", "what the judge was shown", "summary, evidence"),
        _C("instrument_version", "version of the rating instrument"),
        _C("repeat", "index of the judge's repeat", "whole number from 0"),
        _C("dimension", "what is scored", "factuality, validity, coherence, utility, overall"),
        _C("score", "the judge's score; empty when unscored", "1-5"),
        _C("unscored_reason", "why there is no score; empty when there is"),
        _C("justification", "the judge's words, or the detail of the reason"),
        _C("made_at", "when it was judged", _TIME),
        *_LABELS,
    ),
)

RATINGS = ExportTable(
    "ratings",
    "one committed rating of one dimension; amendments are rows of their own",
    (
        *(_C("study_id", "the study"), _C("study", "name of the study")),
        _C("mode", "whether the judge's results were hidden until the commit", "blinded, open review"),
        _C("reviewer", "pseudonym"),
        _C("assignment_id", "the dialogue as given to this reviewer"),
        *_DIALOGUE,
        _C("repeat", "index of the repeat of the test model", "whole number from 0"),
        _C("dimension", "what is rated", "factuality, validity, coherence, utility, overall"),
        _C("score", "the reviewer's score; empty when missing", "1-5"),
        _C("missing", "why there is no score; empty when there is", "not applicable, cannot judge"),
        _C("reason", "the reviewer's reason; may be empty"),
        _C("confidence", "of the reviewer; empty when not given", "low, medium, high"),
        _C("evidence", "turns the score rests on, separated by semicolons"),
        _C("safety", "possible harm of the whole dialogue; empty when not given", "none, possible, likely"),
        _C("severity", "of that harm; empty when not given", "mild, moderate, severe"),
        _C("revision", "1: as committed before the reveal; later ones are amendments after it", "whole number from 1"),
        _C("amendment_reason", "why it was amended; empty for revision 1"),
        _C("evidence_shown", "what the reviewer had seen when rating"),
        _C("instrument_version", "version of the rating instrument"),
        _C("committed_at", "when it was committed", _TIME),
        *_LABELS,
    ),
)

TURN_ANSWERS = ExportTable(
    "turn_answers",
    "one committed answer of a reviewer about one turn; turn 0 is the whole dialogue",
    (
        *(_C("study_id", "the study"), _C("study", "name of the study")),
        _C("mode", "whether the judge's results were hidden until the commit", "blinded, open review"),
        _C("reviewer", "pseudonym"),
        *_DIALOGUE,
        _C("turn", "number of the turn; 0 for the whole dialogue", _COUNT),
        _C("field", "the question"),
        _C("values", "the choices made, separated by semicolons"),
        _C("text", "free text; may be empty"),
        _C("committed_at", "when it was committed", _TIME),
        *_LABELS,
    ),
)

ITEM_VERDICTS = ExportTable(
    "item_verdicts",
    "one reviewer's newest word on one row of a match table; the machine's result stays as it is",
    (
        *(_C("study_id", "the study"), _C("study", "name of the study")),
        _C("mode", "whether the judge's results were hidden until the commit", "blinded, open review"),
        _C("reviewer", "pseudonym"),
        *_RESULT,
        _C(
            "row", "the pair: reference item, slash, output item; a dash for a missing counterpart", "R1/G2, R3/-, -/G4"
        ),
        _C("verdict", "what the reviewer says about the row"),
        _C("output_id", "with `it is there`: the output item that says it; empty when none was named"),
        _C("attribute", "what differs; empty when not said", "side, site, size, severity, certainty, time"),
        _C("verdict_mode", "whether the judge's pairing was shown", "verify, independent"),
        _C("given_at", "when it was given", _TIME),
        *_LABELS,
    ),
)

COVERAGE = ExportTable(
    "coverage",
    "one dialogue with how far it has come; what is missing lowers every n",
    (
        *_DIALOGUE,
        _C("n_turns", "turns of the plan", _COUNT),
        _C("n_answered", "turns with an answer", _COUNT),
        _C("n_evaluations", "atomic evaluations", _COUNT),
        _C("n_targets_scored", "targets with numbers in the newest evaluation", _COUNT),
        _C("n_targets_unscored", "targets without numbers in the newest evaluation", _COUNT),
        _C("n_judgements", "judgements by all judges", _COUNT),
        _C("n_dimensions_scored", "judged dimensions with a score, over all judgements", _COUNT),
        _C("n_dimensions_unscored", "judged dimensions without a score, over all judgements", _COUNT),
        _C("n_raters", "reviewers with a committed rating", _COUNT),
        *_LABELS,
    ),
)

IMPORT_REPORT = ExportTable(
    "import_report",
    "one article of an import or dry run",
    (
        _C("id", "the article; empty when refused"),
        _C("source", "name of the file it was read from"),
        _C("status", "what became of it", "imported, updated, refused"),
        _C("reason", "why it was refused, and what can be done; empty otherwise"),
        _C("title", "as published; empty when refused"),
        _C("article_type", "as written in the source; empty when missing"),
        _C("licence", "as read; empty when not stated"),
        _C("published_on", "publication date as far as the source states it", "ISO date, year or year and month"),
        _C("body_chars", "characters of body text in the source", _COUNT),
        _C("kept_chars", "of these in section and table parts", _COUNT),
        _C("n_figures", "figures of the article itself", _COUNT),
        _C("n_images", "graphics with an image", _COUNT),
        _C("n_images_missing", "graphics without an image", _COUNT),
        _C("n_captions", "figures with a caption", _COUNT),
        _C("warnings", "what is unusual, separated by semicolons"),
    ),
)

TABLES = (
    ARTICLES,
    DIALOGUES,
    TURNS,
    ATOMIC_SCORES,
    ITEMS,
    MATCHES,
    JUDGE_SCORES,
    RATINGS,
    TURN_ANSWERS,
    ITEM_VERDICTS,
    COVERAGE,
)
