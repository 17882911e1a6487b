"""First tables."""
# ruff: noqa: E501

import sqlalchemy as sa
from alembic import op

from core.storage.append_only import append_only_statements

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "article",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_article")),
    )
    op.create_table(
        "call_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("call_key", sa.String(length=64), nullable=False),
        sa.Column("request_key", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=24), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("engine", sa.String(length=16), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(length=24), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_call_attempt")),
        info={"append_only": True},
    )
    with op.batch_alter_table("call_attempt", schema=None) as batch_op:
        batch_op.create_index("ix_call_attempt_call_key_outcome", ["call_key", "outcome"], unique=False)
        batch_op.create_index(batch_op.f("ix_call_attempt_model"), ["model"], unique=False)
        batch_op.create_index(batch_op.f("ix_call_attempt_request_key"), ["request_key"], unique=False)

    op.create_table(
        "figure_confirmation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.String(length=64), nullable=False),
        sa.Column("figure_id", sa.String(length=64), nullable=False),
        sa.Column("image_sha256", sa.String(length=64), nullable=False),
        sa.Column("is_clean", sa.Boolean(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_figure_confirmation")),
        info={"append_only": True},
    )
    with op.batch_alter_table("figure_confirmation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_figure_confirmation_case_id"), ["case_id"], unique=False)

    op.create_table(
        "report_facts",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("n_facts", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_facts")),
        info={"append_only": True},
    )
    op.create_table(
        "report_pair",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("pair", sa.String(length=200), nullable=False),
        sa.Column("dataset", sa.String(length=200), nullable=False),
        sa.Column("modality", sa.String(length=100), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("prediction", sa.Text(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_pair")),
        sa.UniqueConstraint("dataset", "pair", "model", name=op.f("uq_report_pair_dataset_pair_model")),
    )
    with op.batch_alter_table("report_pair", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_pair_model"), ["model"], unique=False)

    op.create_table(
        "reviewer",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("pseudonym", sa.String(length=40), nullable=False),
        sa.Column("specialty", sa.String(), nullable=False),
        sa.Column("years", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviewer")),
        sa.UniqueConstraint("name", name=op.f("uq_reviewer_name")),
        sa.UniqueConstraint("pseudonym", name=op.f("uq_reviewer_pseudonym")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "running", "paused", "finished", name="runstate", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
        ),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_run_started_at"), ["started_at"], unique=False)

    op.create_table(
        "study",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column(
            "mode",
            sa.Enum("blinded", "open review", name="reviewmode", native_enum=False, create_constraint=True, length=40),
            nullable=False,
        ),
        sa.Column(
            "length",
            sa.Enum("short", "full", name="length", native_enum=False, create_constraint=True, length=40),
            nullable=False,
        ),
        sa.Column("instrument_version", sa.String(), nullable=False),
        sa.Column("order_seed", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("locked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("name", name=op.f("uq_study_name")),
    )
    op.create_table(
        "article_version",
        sa.Column("article_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("source_sha256", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("article_type", sa.String(), nullable=False),
        sa.Column("licence", sa.String(), nullable=False),
        sa.Column("n_figures", sa.Integer(), nullable=False),
        sa.Column("n_images", sa.Integer(), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_article_version_version")),
        sa.ForeignKeyConstraint(["article_id"], ["article.id"], name=op.f("fk_article_version_article_id_article")),
        sa.PrimaryKeyConstraint("article_id", "version", name=op.f("pk_article_version")),
        info={"append_only": True},
    )
    with op.batch_alter_table("article_version", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_article_version_source_sha256"), ["source_sha256"], unique=False)

    op.create_table(
        "report_evaluation",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("pair_id", sa.String(length=64), nullable=False),
        sa.Column("reference_facts_id", sa.String(length=64), nullable=False),
        sa.Column("evaluator", sa.String(), nullable=False),
        sa.Column("f1_open", sa.Float(), nullable=True),
        sa.Column("f1_closed", sa.Float(), nullable=True),
        sa.Column("disease_f1_open", sa.Float(), nullable=True),
        sa.Column("attribute_f1_open", sa.Float(), nullable=True),
        sa.Column("n_facts", sa.Integer(), nullable=False),
        sa.Column("unscored_reason", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "(unscored_reason = '') = (f1_open IS NOT NULL AND f1_closed IS NOT NULL)",
            name=op.f("ck_report_evaluation_score_or_reason"),
        ),
        sa.CheckConstraint(
            "f1_open BETWEEN 0 AND 1 AND f1_closed BETWEEN 0 AND 1", name=op.f("ck_report_evaluation_range")
        ),
        sa.ForeignKeyConstraint(["pair_id"], ["report_pair.id"], name=op.f("fk_report_evaluation_pair_id_report_pair")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_evaluation")),
        info={"append_only": True},
    )
    with op.batch_alter_table("report_evaluation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_evaluation_evaluator"), ["evaluator"], unique=False)
        batch_op.create_index("ix_report_evaluation_pair_id_evaluator", ["pair_id", "evaluator"], unique=False)

    op.create_table(
        "run_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("case_id", sa.String(length=200), nullable=False),
        sa.Column("step", sa.String(length=24), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "waiting",
                "running",
                "done",
                "failed",
                "skipped",
                name="taskstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("result_id", sa.String(length=64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(state IN ('failed', 'skipped')) = (reason <> '')", name=op.f("ck_run_task_reason")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_task_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_task")),
        sa.UniqueConstraint("run_id", "case_id", "step", name=op.f("uq_run_task_run_id_case_id_step")),
    )
    op.create_table(
        "case_version",
        sa.Column("case_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("article_id", sa.String(length=64), nullable=False),
        sa.Column("article_version", sa.Integer(), nullable=False),
        sa.Column("eligibility", sa.String(length=12), nullable=False),
        sa.Column("reasons", sa.String(), nullable=False),
        sa.Column("is_released", sa.Boolean(), nullable=False),
        sa.Column("final_diagnosis", sa.String(), nullable=False),
        sa.Column("n_open_leaks", sa.Integer(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "eligibility IN ('eligible', 'ineligible', 'waiting')", name=op.f("ck_case_version_eligibility")
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_case_version_version")),
        sa.ForeignKeyConstraint(
            ["article_id", "article_version"],
            ["article_version.article_id", "article_version.version"],
            name=op.f("fk_case_version_article_id_article_version_article_version"),
        ),
        sa.PrimaryKeyConstraint("case_id", "version", name=op.f("pk_case_version")),
        info={"append_only": True},
    )
    with op.batch_alter_table("case_version", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_case_version_article_id"), ["article_id"], unique=False)

    op.create_table(
        "dialogue",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("case_id", sa.String(length=64), nullable=False),
        sa.Column("case_version", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "reference",
                "model",
                "imported",
                name="dialoguekind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("setting", sa.String(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("plan_sha256", sa.String(length=64), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("n_turns", sa.Integer(), nullable=False),
        sa.Column("n_failed", sa.Integer(), nullable=False),
        sa.Column("has_synthesis", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id", "case_version"],
            ["case_version.case_id", "case_version.version"],
            name=op.f("fk_dialogue_case_id_case_version_case_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dialogue")),
        info={"append_only": True},
    )
    with op.batch_alter_table("dialogue", schema=None) as batch_op:
        batch_op.create_index("ix_dialogue_case_id_case_version", ["case_id", "case_version"], unique=False)
        batch_op.create_index(batch_op.f("ix_dialogue_setting"), ["setting"], unique=False)

    op.create_table(
        "reference_set",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("case_id", sa.String(length=64), nullable=False),
        sa.Column("case_version", sa.Integer(), nullable=False),
        sa.Column("decomposer", sa.String(), nullable=False),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("n_unscored", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id", "case_version"],
            ["case_version.case_id", "case_version.version"],
            name=op.f("fk_reference_set_case_id_case_version_case_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reference_set")),
        info={"append_only": True},
    )
    with op.batch_alter_table("reference_set", schema=None) as batch_op:
        batch_op.create_index("ix_reference_set_case_id_case_version", ["case_id", "case_version"], unique=False)

    op.create_table(
        "assignment",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("dialogue_id", sa.String(length=64), nullable=False),
        sa.Column("reviewer_id", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("furthest_turn", sa.Integer(), nullable=False),
        sa.Column("at_step", sa.String(length=20), nullable=False),
        sa.Column("outcome_shown_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("skipped_because", sa.String(), nullable=False),
        sa.CheckConstraint("furthest_turn >= 1", name=op.f("ck_assignment_furthest_turn")),
        sa.ForeignKeyConstraint(["dialogue_id"], ["dialogue.id"], name=op.f("fk_assignment_dialogue_id_dialogue")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewer.id"], name=op.f("fk_assignment_reviewer_id_reviewer")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_assignment_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint(
            "study_id", "dialogue_id", "reviewer_id", name=op.f("uq_assignment_study_id_dialogue_id_reviewer_id")
        ),
        sa.UniqueConstraint(
            "study_id", "reviewer_id", "position", name=op.f("uq_assignment_study_id_reviewer_id_position")
        ),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignment_dialogue_id"), ["dialogue_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_reviewer_id"), ["reviewer_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_study_id"), ["study_id"], unique=False)

    op.create_table(
        "evaluation",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("dialogue_id", sa.String(length=64), nullable=False),
        sa.Column("reference_set_id", sa.String(length=64), nullable=False),
        sa.Column("decomposer", sa.String(), nullable=False),
        sa.Column("matcher", sa.String(), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["dialogue_id"], ["dialogue.id"], name=op.f("fk_evaluation_dialogue_id_dialogue")),
        sa.ForeignKeyConstraint(
            ["reference_set_id"], ["reference_set.id"], name=op.f("fk_evaluation_reference_set_id_reference_set")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation")),
        info={"append_only": True},
    )
    with op.batch_alter_table("evaluation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evaluation_dialogue_id"), ["dialogue_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_evaluation_reference_set_id"), ["reference_set_id"], unique=False)

    op.create_table(
        "draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(length=60), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_draft_revision")),
        sa.CheckConstraint("turn >= 0", name=op.f("ck_draft_turn")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_draft_assignment_id_assignment")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
        sa.UniqueConstraint(
            "assignment_id", "turn", "field", "nonce", name=op.f("uq_draft_assignment_id_turn_field_nonce")
        ),
        sa.UniqueConstraint(
            "assignment_id", "turn", "field", "revision", name=op.f("uq_draft_assignment_id_turn_field_revision")
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("draft", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_draft_assignment_id"), ["assignment_id"], unique=False)

    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.String(length=64), nullable=False),
        sa.Column(
            "target",
            sa.Enum(
                "final_diagnosis",
                "diagnostic_reasoning",
                "image_findings",
                name="target",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("figure_id", sa.String(length=64), nullable=False),
        sa.Column(
            "side",
            sa.Enum("reference", "output", name="side", native_enum=False, create_constraint=True, length=40),
            nullable=False,
        ),
        sa.Column("item_id", sa.String(length=16), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("is_annotation", sa.Boolean(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("fk_item_evaluation_id_evaluation")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
        sa.UniqueConstraint("evaluation_id", "target", "figure_id", "side", "item_id", name="uq_item_place"),
        info={"append_only": True},
    )
    op.create_table(
        "item_verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("evaluation_id", sa.String(length=64), nullable=False),
        sa.Column(
            "target",
            sa.Enum(
                "final_diagnosis",
                "diagnostic_reasoning",
                "image_findings",
                name="target",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("figure_id", sa.String(length=64), nullable=False),
        sa.Column("row", sa.String(length=80), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=60), nullable=False),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_item_verdict_assignment_id_assignment")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name=op.f("fk_item_verdict_evaluation_id_evaluation")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item_verdict")),
        sa.UniqueConstraint(
            "assignment_id",
            "evaluation_id",
            "target",
            "figure_id",
            "row",
            "revision",
            name=op.f("uq_item_verdict_assignment_id_evaluation_id_target_figure_id_row_revision"),
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("item_verdict", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_item_verdict_assignment_id"), ["assignment_id"], unique=False)

    op.create_table(
        "judgement",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("evaluation_id", sa.String(length=64), nullable=False),
        sa.Column("dialogue_id", sa.String(length=64), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("instrument_version", sa.String(length=16), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("is_demonstration", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["dialogue_id"], ["dialogue.id"], name=op.f("fk_judgement_dialogue_id_dialogue")),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name=op.f("fk_judgement_evaluation_id_evaluation")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgement")),
        info={"append_only": True},
    )
    with op.batch_alter_table("judgement", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judgement_dialogue_id"), ["dialogue_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgement_evaluation_id"), ["evaluation_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_judgement_judge"), ["judge"], unique=False)

    op.create_table(
        "match_row",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.String(length=64), nullable=False),
        sa.Column(
            "target",
            sa.Enum(
                "final_diagnosis",
                "diagnostic_reasoning",
                "image_findings",
                name="target",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("figure_id", sa.String(length=64), nullable=False),
        sa.Column(
            "pairing",
            sa.Enum(
                "strict",
                "lenient",
                "missing",
                "extra",
                "contradiction",
                name="pairing",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("reference_id", sa.String(length=16), nullable=False),
        sa.Column("output_id", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(pairing = 'missing') = (output_id = '') AND (pairing = 'extra') = (reference_id = '')",
            name=op.f("ck_match_row_sides"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name=op.f("fk_match_row_evaluation_id_evaluation")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match_row")),
        sa.UniqueConstraint(
            "evaluation_id", "target", "figure_id", "reference_id", "output_id", "pairing", name="uq_match_row_pair"
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("match_row", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_match_row_pairing"), ["pairing"], unique=False)

    op.create_table(
        "rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column(
            "dimension",
            sa.Enum(
                "factuality",
                "validity",
                "coherence",
                "utility",
                "overall",
                name="dimension",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column(
            "missing",
            sa.Enum(
                "not applicable", "cannot judge", name="missing", native_enum=False, create_constraint=True, length=40
            ),
            nullable=True,
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "confidence",
            sa.Enum("low", "medium", "high", name="confidence", native_enum=False, create_constraint=True, length=40),
            nullable=True,
        ),
        sa.Column("evidence", sa.String(), nullable=False),
        sa.Column("amendment_reason", sa.Text(), nullable=False),
        sa.Column("evidence_shown", sa.String(), nullable=False),
        sa.Column("instrument_version", sa.String(), nullable=False),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("missing <> 'cannot judge' OR reason <> ''", name=op.f("ck_rating_cannot_judge_reason")),
        sa.CheckConstraint("revision = 1 OR amendment_reason <> ''", name=op.f("ck_rating_amendment_reason")),
        sa.CheckConstraint("(score IS NULL) <> (missing IS NULL)", name=op.f("ck_rating_score_or_missing")),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_rating_revision")),
        sa.CheckConstraint("score BETWEEN 1 AND 5", name=op.f("ck_rating_score")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_rating_assignment_id_assignment")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating")),
        sa.UniqueConstraint(
            "assignment_id",
            "turn",
            "dimension",
            "revision",
            name=op.f("uq_rating_assignment_id_turn_dimension_revision"),
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rating_assignment_id"), ["assignment_id"], unique=False)

    op.create_table(
        "review_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=True),
        sa.Column("what", sa.String(length=60), nullable=False),
        sa.Column("old", sa.Text(), nullable=False),
        sa.Column("new", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("instrument_version", sa.String(), nullable=False),
        sa.Column("app_version", sa.String(), nullable=False),
        sa.Column("is_revealed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_review_event_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_event")),
        info={"append_only": True},
    )
    with op.batch_alter_table("review_event", schema=None) as batch_op:
        batch_op.create_index("ix_review_event_assignment_id_at", ["assignment_id", "at"], unique=False)

    op.create_table(
        "target_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.String(length=64), nullable=False),
        sa.Column(
            "target",
            sa.Enum(
                "final_diagnosis",
                "diagnostic_reasoning",
                "image_findings",
                name="target",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("figure_id", sa.String(length=64), nullable=False),
        sa.Column("n_reference", sa.Integer(), nullable=False),
        sa.Column("n_output", sa.Integer(), nullable=False),
        sa.Column("tp_strict", sa.Integer(), nullable=True),
        sa.Column("tp_lenient", sa.Integer(), nullable=True),
        sa.Column("unscored_reason", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(unscored_reason = '') = (tp_strict IS NOT NULL AND tp_lenient IS NOT NULL)",
            name=op.f("ck_target_result_counts_or_reason"),
        ),
        sa.CheckConstraint(
            "tp_strict >= 0 AND tp_lenient >= tp_strict AND tp_lenient <= n_reference AND tp_lenient <= n_output",
            name=op.f("ck_target_result_counts"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name=op.f("fk_target_result_evaluation_id_evaluation")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_target_result")),
        sa.UniqueConstraint("evaluation_id", "target", "figure_id", name="uq_target_result_place"),
        info={"append_only": True},
    )
    op.create_table(
        "turn_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(length=60), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("choices", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("turn >= 0", name=op.f("ck_turn_answer_turn")),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_turn_answer_assignment_id_assignment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn_answer")),
        sa.UniqueConstraint(
            "assignment_id", "turn", "field", "revision", name=op.f("uq_turn_answer_assignment_id_turn_field_revision")
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("turn_answer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turn_answer_assignment_id"), ["assignment_id"], unique=False)

    op.create_table(
        "judged_score",
        sa.Column("judgement_id", sa.String(length=64), nullable=False),
        sa.Column(
            "dimension",
            sa.Enum(
                "factuality",
                "validity",
                "coherence",
                "utility",
                "overall",
                name="dimension",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("unscored_reason", sa.String(), nullable=False),
        sa.Column("justification", sa.String(), nullable=False),
        sa.CheckConstraint("(score IS NULL) = (unscored_reason <> '')", name=op.f("ck_judged_score_score_or_reason")),
        sa.CheckConstraint("score BETWEEN 1 AND 5", name=op.f("ck_judged_score_score")),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgement.id"], name=op.f("fk_judged_score_judgement_id_judgement")
        ),
        sa.PrimaryKeyConstraint("judgement_id", "dimension", name=op.f("pk_judged_score")),
        info={"append_only": True},
    )
    op.create_table(
        "justification_view",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.String(length=64), nullable=False),
        sa.Column("judgement_id", sa.String(length=64), nullable=False),
        sa.Column(
            "dimension",
            sa.Enum(
                "factuality",
                "validity",
                "coherence",
                "utility",
                "overall",
                name="dimension",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column(
            "view",
            sa.Enum("agree", "partly", "disagree", name="view", native_enum=False, create_constraint=True, length=40),
            nullable=False,
        ),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_justification_view_assignment_id_assignment")
        ),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgement.id"], name=op.f("fk_justification_view_judgement_id_judgement")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_justification_view")),
        sa.UniqueConstraint(
            "assignment_id",
            "judgement_id",
            "dimension",
            "revision",
            name=op.f("uq_justification_view_assignment_id_judgement_id_dimension_revision"),
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("justification_view", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_justification_view_assignment_id"), ["assignment_id"], unique=False)

    dialect = op.get_bind().dialect.name
    for table in (
        "article_version",
        "call_attempt",
        "case_version",
        "dialogue",
        "draft",
        "evaluation",
        "figure_confirmation",
        "item",
        "item_verdict",
        "judged_score",
        "judgement",
        "justification_view",
        "match_row",
        "rating",
        "reference_set",
        "report_evaluation",
        "report_facts",
        "review_event",
        "target_result",
        "turn_answer",
    ):
        for statement in append_only_statements(table, dialect):
            op.execute(statement)


def downgrade() -> None:
    """Take the change back."""
    with op.batch_alter_table("justification_view", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_justification_view_assignment_id"))

    op.drop_table("justification_view")
    op.drop_table("judged_score")
    with op.batch_alter_table("turn_answer", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_turn_answer_assignment_id"))

    op.drop_table("turn_answer")
    op.drop_table("target_result")
    with op.batch_alter_table("review_event", schema=None) as batch_op:
        batch_op.drop_index("ix_review_event_assignment_id_at")

    op.drop_table("review_event")
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_assignment_id"))

    op.drop_table("rating")
    with op.batch_alter_table("match_row", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_match_row_pairing"))

    op.drop_table("match_row")
    with op.batch_alter_table("judgement", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_judgement_judge"))
        batch_op.drop_index(batch_op.f("ix_judgement_evaluation_id"))
        batch_op.drop_index(batch_op.f("ix_judgement_dialogue_id"))

    op.drop_table("judgement")
    with op.batch_alter_table("item_verdict", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_item_verdict_assignment_id"))

    op.drop_table("item_verdict")
    op.drop_table("item")
    with op.batch_alter_table("draft", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_draft_assignment_id"))

    op.drop_table("draft")
    with op.batch_alter_table("evaluation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluation_reference_set_id"))
        batch_op.drop_index(batch_op.f("ix_evaluation_dialogue_id"))

    op.drop_table("evaluation")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_study_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_reviewer_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_dialogue_id"))

    op.drop_table("assignment")
    with op.batch_alter_table("reference_set", schema=None) as batch_op:
        batch_op.drop_index("ix_reference_set_case_id_case_version")

    op.drop_table("reference_set")
    with op.batch_alter_table("dialogue", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_dialogue_setting"))
        batch_op.drop_index("ix_dialogue_case_id_case_version")

    op.drop_table("dialogue")
    with op.batch_alter_table("case_version", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_case_version_article_id"))

    op.drop_table("case_version")
    op.drop_table("run_task")
    with op.batch_alter_table("report_evaluation", schema=None) as batch_op:
        batch_op.drop_index("ix_report_evaluation_pair_id_evaluator")
        batch_op.drop_index(batch_op.f("ix_report_evaluation_evaluator"))

    op.drop_table("report_evaluation")
    with op.batch_alter_table("article_version", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_article_version_source_sha256"))

    op.drop_table("article_version")
    op.drop_table("study")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_run_started_at"))

    op.drop_table("run")
    op.drop_table("reviewer")
    with op.batch_alter_table("report_pair", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_pair_model"))

    op.drop_table("report_pair")
    op.drop_table("report_facts")
    with op.batch_alter_table("figure_confirmation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_figure_confirmation_case_id"))

    op.drop_table("figure_confirmation")
    with op.batch_alter_table("call_attempt", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_call_attempt_request_key"))
        batch_op.drop_index(batch_op.f("ix_call_attempt_model"))
        batch_op.drop_index("ix_call_attempt_call_key_outcome")

    op.drop_table("call_attempt")
    op.drop_table("article")
