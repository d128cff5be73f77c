"""A training's curves as one small picture."""

from collections.abc import Mapping, Sequence
from html import escape

WIDE, HIGH, EDGE, KEY = 720, 360, 48, 150
COLOURS = ("#2f6f4f", "#b3541e", "#34618f", "#8a4f8f", "#7a6a1a", "#555555")
Point = tuple[float, float]


def draw(title: str, lines: Mapping[str, Sequence[Point]]) -> str:
    """Shares of the wins by games played, a line for each opponent and number of seats."""
    points = [point for line in lines.values() for point in line]
    most = max((games for games, _ in points), default=1.0)
    low = min((share for _, share in points), default=0.0)
    high = max((share for _, share in points), default=1.0)
    low, high = max(0.0, low - 0.02), min(1.0, high + 0.02)

    def at(point: Point) -> str:
        across = EDGE + (WIDE - EDGE - KEY) * point[0] / most
        down = HIGH - EDGE - (HIGH - 2 * EDGE) * (point[1] - low) / max(high - low, 1e-9)
        return f"{across:.1f},{down:.1f}"

    drawn = ""
    for index, (name, line) in enumerate(lines.items()):
        colour, last = COLOURS[index % len(COLOURS)], line[-1][1] if line else 0.0
        drawn += f'<polyline points="{" ".join(map(at, line))}" fill="none" stroke="{colour}" stroke-width="2"/>'
        label = f"{escape(name)} {last:.1%}"
        drawn += f'<text x="{WIDE - KEY + 8}" y="{EDGE + 20 * index}" fill="{colour}">{label}</text>'
    for share in (low, high):
        drawn += f'<text x="4" y="{at((0.0, share)).split(",")[1]}">{share:.0%}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">'
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>'
        f'<text x="{EDGE}" y="24" font-size="15">{escape(title)}</text>'
        f'<path d="M{EDGE} {EDGE}V{HIGH - EDGE}H{WIDE - KEY}" fill="none" stroke="#888"/>{drawn}'
        f'<text x="{EDGE}" y="{HIGH - 16}">{most:,.0f} games</text></svg>\n'
    )
