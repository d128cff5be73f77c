"""How processes that serve the same tables hear of each other: over Redis, or not at all where there is only one.

Nothing depends on this: what is missed here is found in the storage a moment later.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import Protocol

import msgspec
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

CHANNEL = "qwixx:"
"""Before a table's id: the channel on which its news are told."""
MOST_WAITING = 10_000
"""News that may wait to be told; more are dropped."""
TOGETHER = 200
"""News that are told in one go."""
PAUSE = 0.5
"""Seconds between tries to reach Redis."""
LISTENING = 5.0
"""Seconds of silence after which Redis is asked whether it is still there."""
BROKEN = (RedisError, OSError, AttributeError)
"""What the library raises when Redis is gone; the last if another task finds out in the middle of a call."""

log = logging.getLogger("qwixx.server")


class News(msgspec.Struct, frozen=True, tag_field="type"):
    """What one process tells the others of a table."""

    worker: str


class Happened(News, frozen=True, tag="happened"):
    """An event is on disk."""

    version: int
    event: msgspec.Raw


class Here(News, frozen=True, tag="here"):
    """Whose people are connected to that process, and how many watch."""

    seats: tuple[int, ...]
    watching: int


class Who(News, frozen=True, tag="who"):
    """Which of you has somebody at this table?"""


AnyNews = Happened | Here | Who
Hear = Callable[[str, AnyNews], None]

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyNews] = msgspec.json.Decoder(AnyNews)


class Fanout(Protocol):
    """`worker` is this process's name. `shared` says whether there may be others."""

    worker: str
    shared: bool

    async def run(self, hear: Hear, found_again: Callable[[], None]) -> None:
        """Tells and hears until it is cancelled; after a silence in which news may have been missed it says so."""

    async def join(self, table: str) -> None:
        """From now on, a table's news are wanted."""

    async def leave(self, table: str) -> None: ...

    def tell(self, table: str, news: News) -> None:
        """Tells the others, soon and without a promise."""

    async def close(self) -> None: ...


class Alone:
    """One process: there is nobody to tell."""

    worker, shared = "", False

    async def run(self, hear: Hear, found_again: Callable[[], None]) -> None:
        await asyncio.Event().wait()

    async def join(self, table: str) -> None: ...

    async def leave(self, table: str) -> None: ...

    def tell(self, table: str, news: News) -> None: ...

    async def close(self) -> None: ...


class RedisFanout:
    """A channel a table; this process listens to those whose rooms it has open."""

    shared = True

    def __init__(self, url: str) -> None:
        self.worker = secrets.token_hex(4)
        once = Retry(NoBackoff(), 0)
        self._redis: Redis = Redis.from_url(url, retry=once, socket_connect_timeout=2, health_check_interval=5)
        self._pubsub: PubSub | None = None
        self._subscribing = asyncio.Lock()
        self._tables: set[str] = set()
        self._outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(MOST_WAITING)

    async def run(self, hear: Hear, found_again: Callable[[], None]) -> None:
        working = {asyncio.create_task(self._listen(hear, found_again)), asyncio.create_task(self._speak())}
        try:
            await asyncio.gather(*working)
        finally:
            while working:  # a cancellation can get lost in the library's own timeouts
                for task in working:
                    task.cancel()
                _, working = await asyncio.wait(working, timeout=0.1)

    async def join(self, table: str) -> None:
        self._tables.add(table)
        async with self._subscribing:
            if self._pubsub is not None:
                with contextlib.suppress(*BROKEN):  # the listener finds out, and subscribes to all anew
                    await self._pubsub.subscribe(CHANNEL + table)

    async def leave(self, table: str) -> None:
        self._tables.discard(table)
        async with self._subscribing:
            if self._pubsub is not None:
                with contextlib.suppress(*BROKEN):
                    await self._pubsub.unsubscribe(CHANNEL + table)

    def tell(self, table: str, news: News) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._outbox.put_nowait((table, _encoder.encode(news)))

    async def close(self) -> None:
        with contextlib.suppress(*BROKEN):
            await self._redis.aclose()

    async def _listen(self, hear: Hear, found_again: Callable[[], None]) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
                    async with self._subscribing:
                        await pubsub.subscribe(CHANNEL, *(CHANNEL + table for table in self._tables))
                        self._pubsub = pubsub
                    found_again()
                    try:
                        await self._hear_all(pubsub, hear)
                    finally:
                        async with self._subscribing:  # nobody joins by way of what is being closed
                            self._pubsub = None
            except BROKEN as error:
                log.warning("Redis does not answer, so other processes are heard of late: %s", error)
            await asyncio.sleep(PAUSE)

    async def _hear_all(self, pubsub: PubSub, hear: Hear) -> None:
        while True:
            message = await pubsub.get_message(timeout=LISTENING)
            if message is None or message["type"] != "message":
                continue
            try:
                news = _decoder.decode(message["data"])
            except msgspec.MsgspecError as error:
                log.warning("Redis told something that is no news: %s", error)
                continue
            if news.worker != self.worker:
                hear(message["channel"].decode().removeprefix(CHANNEL), news)

    async def _speak(self) -> None:
        while True:
            waiting = [await self._outbox.get()]
            while len(waiting) < TOGETHER and not self._outbox.empty():
                waiting.append(self._outbox.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for table, news in waiting:
                        pipeline.publish(CHANNEL + table, news)
                    await pipeline.execute()
            except BROKEN:
                await asyncio.sleep(PAUSE)
