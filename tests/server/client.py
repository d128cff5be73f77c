"""A plain client of a table, for tests."""

import json
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

Message = dict[str, Any]

BO_KEY = "a key that Bo made himself"


class Player:
    """A client with a socket: says things, hears answers, remembers the table."""

    def __init__(self, client: TestClient, table: str, keys: tuple[str, ...] = (), since: int = 0) -> None:
        self.client, self.table_id, self.keys = client, table, keys
        self.socket: WebSocketTestSession = client.websocket_connect("/ws")
        self.socket.__enter__()
        self.table: Message = {}
        self.notes: list[Message] = []
        self.count = 0
        self.say("hello", table=table, keys=keys, since=since)
        self.hear("update", "refusal")

    def say(self, kind: str, **facts: Any) -> int:  # noqa: ANN401
        self.count += 1
        self.socket.send_text(json.dumps({"type": kind, "id": self.count, **facts}))
        return self.count

    def hear(self, *kinds: str) -> Message:
        """Listens until one of these kinds comes."""
        while True:
            message: Message = json.loads(self.socket.receive_text())
            if message["type"] == "update":
                self.table = message["table"]
                self.notes += message["notes"]
            if message["type"] in kinds:
                return message

    def asks(self, kind: str, **facts: Any) -> Message:  # noqa: ANN401
        """Asks and gives the answer to just that."""
        number = self.say(kind, **facts)
        while True:
            answer = self.hear("done", "refusal", "explained", "seated")
            if answer.get("id") == number:
                return answer

    def choose(self, seat: int, action: str, version: int | None = None) -> Message:
        return self.asks("choose", seat=seat, action=action, version=version or self.table["version"])

    def close(self) -> None:
        self.socket.__exit__(None, None, None)

    @property
    def state(self) -> Message:
        state: Message = self.table["state"]
        return state


def opened(client: TestClient, *kinds: str, variant: str = "classic", **options: Any) -> tuple[str, dict[int, str]]:  # noqa: ANN401
    seats = [{"kind": kind, "name": "" if kind == "open" else f"Seat {n}"} for n, kind in enumerate(kinds)]
    for seat in seats:
        if seat["kind"] == "bot":
            seat["bot"] = "skip-2"
    answer = client.post("/api/tables", json={"variant": variant, "seats": seats, **options})
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return body["table"], {int(seat): key for seat, key in body["keys"].items()}


def until_asked(player: Player, seat: int) -> None:
    """Listens until a seat may choose, or the game is over."""
    while not (player.state["phase"] == "over" or player.table["legal"].get(str(seat))):
        player.hear("update")


def finished(client: TestClient, variant: str = "mini") -> tuple[Player, str, dict[int, str]]:
    """A game that a person and a bot have played to its end."""
    table, keys = opened(client, "person", "bot", variant=variant)
    player = Player(client, table, tuple(keys.values()))
    while player.state["phase"] != "over":
        if player.table["legal"]["0"] and not player.table["chosen"]:
            player.choose(0, player.table["legal"]["0"][-1])
        else:
            player.hear("update")
    return player, table, keys
