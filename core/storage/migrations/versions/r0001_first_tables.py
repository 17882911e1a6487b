"""The first tables."""

from alembic import op

from core.storage.base import Base

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    Base.metadata.create_all(op.get_bind())


def downgrade() -> None:
    """Drop the tables."""
    Base.metadata.drop_all(op.get_bind())
