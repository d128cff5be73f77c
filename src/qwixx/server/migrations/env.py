"""Alembic's way in: the steps that are missing run on the connection that the storage has opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
