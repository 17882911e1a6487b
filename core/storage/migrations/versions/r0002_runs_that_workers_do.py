"""Runs that workers do."""
# ruff: noqa: E501

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change."""
    op.create_table(
        "worker",
        sa.Column("id", sa.String(length=100), nullable=False),
        sa.Column("beats", sa.Integer(), nullable=False),
        sa.Column("process", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    op.create_table(
        "run_case",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("case_id", sa.String(length=200), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_case_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", "case_id", name=op.f("pk_run_case")),
    )
    op.create_table(
        "run_control",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("wish", sa.String(length=8), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("taken_round", sa.Integer(), nullable=False),
        sa.Column("budget_usd", sa.Float(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("deferred_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_control_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_control")),
    )
    # Not in batches: SQLite would make the table anew, without the triggers that refuse changes.
    op.add_column("call_attempt", sa.Column("run_id", sa.String(length=64), server_default="", nullable=False))
    op.add_column("call_attempt", sa.Column("sent_id", sa.String(length=100), nullable=True))
    op.create_index(op.f("ix_call_attempt_run_id"), "call_attempt", ["run_id"], unique=False)
    op.create_index(op.f("ix_call_attempt_sent_id"), "call_attempt", ["sent_id"], unique=True)


def downgrade() -> None:
    """Take the change back."""
    op.drop_index(op.f("ix_call_attempt_sent_id"), table_name="call_attempt")
    op.drop_index(op.f("ix_call_attempt_run_id"), table_name="call_attempt")
    op.drop_column("call_attempt", "sent_id")
    op.drop_column("call_attempt", "run_id")
    op.drop_table("run_control")
    op.drop_table("run_case")
    op.drop_table("worker")
