"""When tables were opened, so that old ones are found without looking at every event."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("CREATE INDEX IF NOT EXISTS events_opened ON events (at, tbl) WHERE version = 1")
