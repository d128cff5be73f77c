"""What there is to measure, in Prometheus' words. Where it happens, it is counted; who asks at `/metrics` reads it."""

from prometheus_client import Counter, Gauge, Histogram

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

TABLES = Gauge("qwixx_tables", "Tables in memory")
SEATS = Gauge("qwixx_seats", "Seats whose players are connected to this process")
SOCKETS = Gauge("qwixx_sockets", "Open connections")
OPENED = Counter("qwixx_tables_opened", "Tables that were set up")
CHOICES = Counter("qwixx_choices", "Choices of people that were kept")
CHOICE_SECONDS = Histogram("qwixx_choice_seconds", "From a choice to its being on disk and told", buckets=FAST)
WRITE_SECONDS = Histogram("qwixx_write_seconds", "One transaction that writes events", buckets=FAST)
BOT_SECONDS = Histogram("qwixx_bot_seconds", "One decision of a bot", buckets=FAST)
REFUSALS = Counter("qwixx_refusals", "Requests that were not granted", ["code"])
ERRORS = Counter("qwixx_errors", "What should not have happened", ["where"])
