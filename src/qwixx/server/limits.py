"""How much one visitor may ask for, so that one cannot take the table from all others.

Visitors are told apart by address. Whoever sits at the server's own machine is not limited: these are its owner's
programs. Behind a proxy the addresses are those that the proxy names.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

MESSAGES_PER_SECOND = 20
BURST = 60
"""Messages of one connection."""
LINES_SHARED = 10
"""So many times that may come from one address, however many connections it has."""
MOST_VISITORS = 10_000
"""Addresses that are remembered; those that have not asked for anything lately are forgotten first."""
SOON = 10.0
"""Seconds after which it is worth trying again where that depends on others."""

Clock = Callable[[], float]


@dataclass(frozen=True)
class Limits:
    """What one address may have, and what the whole process takes."""

    tables_a_minute: int = 30
    connections: int = 100
    connections_in_all: int = 10_000


class Allowance:
    """So many a second, with a burst."""

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self.left, self.at = burst, clock()

    def spend(self) -> float:
        """Takes one; else the seconds until there is one again."""
        self._refill()
        if self.left < 1:
            return (1 - self.left) / self.rate
        self.left -= 1
        return 0.0

    def untouched(self) -> bool:
        self._refill()
        return self.left >= self.burst

    def _refill(self) -> None:
        now = self._clock()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now


@dataclass
class Visitor:
    """What one address has asked for."""

    tables: Allowance
    messages: Allowance
    connections: int = 0

    def is_quiet(self) -> bool:
        return not self.connections and self.tables.untouched() and self.messages.untouched()


@dataclass
class Guard:
    """Everybody who has asked for something lately."""

    limits: Limits = field(default_factory=Limits)
    clock: Clock = time.monotonic
    connections: int = 0
    _visitors: dict[str, Visitor] = field(default_factory=dict)

    def open_table(self, address: str) -> float:
        """Whether a table may be opened from there: 0, or the seconds until one may."""
        visitor = self._visitor(address)
        return visitor.tables.spend() if visitor else 0.0

    def say(self, address: str) -> float:
        """The same for a message, over all connections of an address."""
        visitor = self._visitor(address)
        return visitor.messages.spend() if visitor else 0.0

    def connect(self, address: str) -> float:
        """The same for a connection, which has to be left again if it is granted."""
        visitor = self._visitor(address)
        too_many = visitor is not None and visitor.connections >= self.limits.connections
        if too_many or self.connections >= self.limits.connections_in_all:
            return SOON
        self.connections += 1
        if visitor:
            visitor.connections += 1
        return 0.0

    def leave(self, address: str) -> None:
        self.connections -= 1
        visitor = self._visitor(address)
        if visitor:
            visitor.connections -= 1

    def _visitor(self, address: str) -> Visitor | None:
        """Nobody where nothing is limited."""
        who = visitor_of(address)
        if who is None:
            return None
        if who not in self._visitors:
            if len(self._visitors) >= MOST_VISITORS:
                self._forget_the_quiet()
            minute = self.limits.tables_a_minute
            lines = LINES_SHARED * MESSAGES_PER_SECOND, LINES_SHARED * BURST
            self._visitors[who] = Visitor(Allowance(minute / 60, minute, self.clock), Allowance(*lines, self.clock))
        return self._visitors[who]

    def _forget_the_quiet(self) -> None:
        self._visitors = {who: visitor for who, visitor in self._visitors.items() if not visitor.is_quiet()}


@lru_cache(MOST_VISITORS)
def visitor_of(address: str) -> str | None:
    """Who an address counts as: a household has a whole /64 of IPv6; nobody at the machine itself."""
    try:
        ip: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip
    if ip.is_loopback:
        return None
    return str(IPv6Network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else str(ip)
