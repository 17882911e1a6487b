"""Layout of studies, consent, own pairings, adjudication."""
# ruff: noqa: E501

import sqlalchemy as sa
from alembic import op

from core.storage.append_only import append_only_statements

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "reviewer_consent",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "step",
            sa.Enum(
                "consented",
                "withdrew",
                "ratings kept",
                "ratings excluded",
                name="consentstep",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("text_version", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["reviewer_id"], ["reviewer.id"], name=op.f("fk_reviewer_consent_reviewer_id_reviewer")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviewer_consent")),
        info={"append_only": True},
    )
    with op.batch_alter_table("reviewer_consent", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviewer_consent_reviewer_id"), ["reviewer_id"], unique=False)

    op.create_table(
        "study_design",
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("blinding_seed", sa.Integer(), nullable=True),
        sa.Column("overlap", sa.Integer(), nullable=True),
        sa.Column(
            "item_mode",
            sa.Enum("verify", "independent", name="itemmode", native_enum=False, create_constraint=True, length=40),
            nullable=False,
        ),
        sa.Column("item_sample_percent", sa.Integer(), nullable=False),
        sa.Column(
            "reference_shown",
            sa.Enum(
                "never",
                "after the turn's own rating",
                "always",
                name="referenceshown",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
        ),
        sa.Column("cloned_from", sa.String(length=64), nullable=False),
        sa.CheckConstraint("item_sample_percent BETWEEN 1 AND 100", name=op.f("ck_study_design_item_sample_percent")),
        sa.CheckConstraint("overlap >= 1", name=op.f("ck_study_design_overlap")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_design_study_id_study")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_design")),
        info={"append_only": True},
    )
    op.create_table(
        "study_unblinding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_unblinding_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_unblinding")),
        info={"append_only": True},
    )
    with op.batch_alter_table("study_unblinding", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_study_unblinding_study_id"), ["study_id"], unique=False)

    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("dialogue_id", sa.String(length=64), nullable=False),
        sa.Column("question", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("adjudicator", sa.String(length=80), nullable=False),
        sa.Column("shown_order", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_adjudication_reason")),
        sa.ForeignKeyConstraint(["dialogue_id"], ["dialogue.id"], name=op.f("fk_adjudication_dialogue_id_dialogue")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_adjudication_study_id_study")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
        sa.UniqueConstraint(
            "study_id",
            "dialogue_id",
            "question",
            "revision",
            name=op.f("uq_adjudication_study_id_dialogue_id_question_revision"),
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("adjudication", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_adjudication_study_id"), ["study_id"], unique=False)

    op.create_table(
        "item_pairing",
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
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Text(), nullable=False),
        sa.Column("is_committed", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_item_pairing_revision")),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_item_pairing_assignment_id_assignment")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name=op.f("fk_item_pairing_evaluation_id_evaluation")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item_pairing")),
        sa.UniqueConstraint(
            "assignment_id",
            "evaluation_id",
            "target",
            "figure_id",
            "revision",
            name=op.f("uq_item_pairing_assignment_id_evaluation_id_target_figure_id_revision"),
        ),
        info={"append_only": True},
    )
    with op.batch_alter_table("item_pairing", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_item_pairing_assignment_id"), ["assignment_id"], unique=False)

    with op.batch_alter_table("item_verdict", schema=None) as batch_op:
        batch_op.add_column(sa.Column("output_id", sa.String(length=80), server_default="", nullable=False))
        batch_op.add_column(sa.Column("attribute", sa.String(length=20), server_default="", nullable=False))
    dialect = op.get_bind().dialect.name
    for table in ("adjudication", "item_pairing", "reviewer_consent", "study_design", "study_unblinding"):
        for statement in append_only_statements(table, dialect):
            op.execute(statement)


def downgrade() -> None:
    """Take the change back."""
    with op.batch_alter_table("item_verdict", schema=None) as batch_op:
        batch_op.drop_column("attribute")
        batch_op.drop_column("output_id")
    if op.get_bind().dialect.name == "sqlite":
        # The table was made anew, and its triggers went with the old one.
        for statement in append_only_statements("item_verdict", "sqlite"):
            op.execute(statement)

    with op.batch_alter_table("item_pairing", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_item_pairing_assignment_id"))

    op.drop_table("item_pairing")
    with op.batch_alter_table("adjudication", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_adjudication_study_id"))

    op.drop_table("adjudication")
    with op.batch_alter_table("study_unblinding", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_study_unblinding_study_id"))

    op.drop_table("study_unblinding")
    op.drop_table("study_design")
    with op.batch_alter_table("reviewer_consent", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reviewer_consent_reviewer_id"))

    op.drop_table("reviewer_consent")
