"""A training's curves as one small picture."""

from collections.abc import Mapping, Sequence
from html import escape

WIDE, HIGH, EDGE, KEY = 760, 360, 48, 190
COLOURS = ("#2f6f4f", "#b3541e", "#34618f", "#8a4f8f", "#7a6a1a", "#555555")
DASHES = ("none", "6 4", "2 3")
"""Where there are more lines than colours."""
Point = tuple[float, float]


def draw(title: str, lines: Mapping[str, Sequence[Point]]) -> str:
    """Shares of the wins by games played, a line for each opponent and number of seats; named in the order in which
    they end."""
    points = [point for line in lines.values() for point in line]
    most = max((games for games, _ in points), default=1.0)
    low = min((share for _, share in points), default=0.0)
    high = max((share for _, share in points), default=1.0)
    low, high = max(0.0, low - 0.02), min(1.0, high + 0.02)

    def at(point: Point) -> str:
        across = EDGE + (WIDE - EDGE - KEY) * point[0] / most
        down = HIGH - EDGE - (HIGH - 2 * EDGE) * (point[1] - low) / max(high - low, 1e-9)
        return f"{across:.1f},{down:.1f}"

    drawn, ranked = "", sorted(((line[-1][1], name, line) for name, line in lines.items()), reverse=True)
    for index, (last, name, line) in enumerate(ranked):
        colour, dashed = COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]
        looks = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dashed}"'
        drawn += f'<polyline points="{" ".join(map(at, line))}" fill="none" {looks}/>'
        label, high_up = f"{escape(name)} {last:.1%}", EDGE + 20 * index
        drawn += f'<path d="M{WIDE - KEY + 4} {high_up - 4}h22" {looks}/>'
        drawn += f'<text x="{WIDE - KEY + 30}" y="{high_up}" fill="{colour}">{label}</text>'
    for share in (low, high):
        drawn += f'<text x="4" y="{at((0.0, share)).split(",")[1]}">{share:.0%}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="13">'
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>'
        f'<text x="{EDGE}" y="24" font-size="15">{escape(title)}</text>'
        f'<path d="M{EDGE} {EDGE}V{HIGH - EDGE}H{WIDE - KEY}" fill="none" stroke="#888"/>{drawn}'
        f'<text x="{EDGE}" y="{HIGH - 16}">{most:,.0f} games</text></svg>\n'
    )
