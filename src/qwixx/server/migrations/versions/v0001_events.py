"""The list of events. Servers from before there were migrations have made the same table already."""

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    kind, kept = ("BYTEA", "") if op.get_bind().dialect.name == "postgresql" else ("BLOB", "WITHOUT ROWID, STRICT")
    op.execute(f"""
        CREATE TABLE IF NOT EXISTS events (
            tbl TEXT NOT NULL,
            version INTEGER NOT NULL,
            at TEXT NOT NULL,
            data {kind} NOT NULL,
            PRIMARY KEY (tbl, version)
        ) {kept}
    """)
