"""A contest as JSON, and as a page to look at: one file, nothing to load."""

from html import escape
from pathlib import Path
from typing import Any

from qwixx.arena.contest import Contest
from qwixx.arena.standings import Line
from qwixx.rules import MalformedError

STYLE = """
:root { color-scheme: light dark; --bar: #2f6f4f; --soft: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr + tr td { border-top: 1px solid var(--soft); }
td { white-space: nowrap; } .name { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; text-align: left; }
svg { width: 100%; height: 1.2rem; min-width: 6rem; } .wide { overflow-x: auto; }
"""
LOST = 20
"""So many lost games are told of."""


def document(contest: Contest) -> dict[str, Any]:
    """Everything that was found."""
    return {
        "variant": contest.variant.key,
        "players": contest.players,
        "games": contest.played,
        "seed": contest.seed,
        "bots": {
            standing.bot: {
                "win_share": standing.win_share,
                "win_low": standing.win_low,
                "win_high": standing.win_high,
                "decided_share": standing.decided_share,
                "mean_score": standing.mean_score,
                "rating": standing.rating,
                "rating_low": standing.rating_low,
                "rating_high": standing.rating_high,
                "seconds_a_decision": contest.thinking[standing.bot],
            }
            for standing in contest.standings()
        },
        "matches": [
            {
                "seats": list(result.match.seats),
                "games": result.games,
                "ends_by": result.ends,
                "forfeits": result.forfeits,
                "bots": {bot: _line(line) for bot, line in result.lines.items()},
            }
            for result in contest.results
        ],
    }


def _line(line: Line) -> dict[str, float]:
    low, high = line.interval
    return {
        "win_share": line.share.mean,
        "win_low": low,
        "win_high": high,
        "decided_share": line.won / max(line.decided, 1),
        "mean_score": line.points.mean,
    }


def open_page(folder: Path) -> Path:
    """The page in a folder, before anything is played for it: refused if it cannot be written."""
    file = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError as error:
        raise MalformedError(f"{file} cannot be written: {error.strerror}") from None
    return file


def page(contest: Contest) -> str:
    title = f"{escape(contest.variant.name)}, {contest.players} seats: {contest.played:,} games"
    stopped = f" Stopped after {contest.played:,} of {contest.total:,} games." if contest.played < contest.total else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1>"
        f"<p>Every line-up was played in each rotation of its seats on the same dice (seed {contest.seed})."
        f" Intervals are 95 %; bars go from 0 to 100 %, with a line at {1 / contest.players:.1%}, an equal share."
        f"{stopped}</p>"
        f'<h2>Standings</h2><div class="wide">{_standings(contest)}</div>'
        f'<h2>Matches</h2><div class="wide">{_matches(contest)}</div>{_lost(contest)}</html>\n'
    )


def _lost(contest: Contest) -> str:
    """Games that programs gave up, and why."""
    lost = contest.forfeits
    if not lost:
        return ""
    items = "".join(f'<li class="name">{escape(why)}</li>' for why in lost[:LOST])
    more = f"<p>And {len(lost) - LOST:,} more.</p>" if len(lost) > LOST else ""
    return f"<h2>Games given up</h2><ul>{items}</ul>{more}"


def milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1000 * seconds:.2f} ms"


def _standings(contest: Contest) -> str:
    rows = "".join(
        f'<tr><td class="name">{escape(each.bot)}</td>'
        f"<td>{_bar(each.win_low, each.win_share, each.win_high, contest.players)}</td>"
        f"<td>{each.win_share:.1%}</td><td>{each.win_low:.1%} – {each.win_high:.1%}</td>"
        f"<td>{each.mean_score:.1f}</td><td>{each.rating:+.0f} ± {each.rating_high - each.rating:.0f}</td>"
        f"<td>{milliseconds(contest.thinking[each.bot])}</td></tr>"
        for each in contest.standings()
    )
    names = ("bot", "", "share of wins", "between", "points", "rating", "a decision")
    heads = "".join(f"<th>{name}</th>" for name in names)
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _bar(low: float, middle: float, high: float, players: int) -> str:
    """A share as a bar with its interval, and a line where it would be if all were equal."""
    width = max(100 * (high - low), 0.2)
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * middle:.2f}" y="2" height="6" fill="var(--bar)"/>'
        f'<rect x="{100 * low:.2f}" width="{width:.2f}" y="0" height="10" fill="var(--soft)"/>'
        f'<rect x="{100 / players - 0.2:.2f}" width="0.4" y="0" height="10" fill="currentColor"/></svg>'
    )


def _matches(contest: Contest) -> str:
    rows = ""
    for result in contest.results:
        for bot in result.match.measured:
            line = _line(result.lines[bot])
            ends = ", ".join(f"{end} {count / max(result.games, 1):.0%}" for end, count in result.ends.items())
            rows += (
                f'<tr><td class="name">{escape(bot)}</td><td class="name">{escape(result.match.title)}</td>'
                f"<td>{_bar(line['win_low'], line['win_share'], line['win_high'], contest.players)}</td>"
                f"<td>{line['win_share']:.1%}</td><td>{line['decided_share']:.1%}</td>"
                f'<td>{line["mean_score"]:.1f}</td><td class="name">{ends}</td></tr>'
            )
    heads = ("bot", "line-up", "", "share of wins", "of decided games", "points", "ended by")
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{rows}</table>"
