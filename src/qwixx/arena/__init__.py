"""The arena: bots against bots on the same dice, seats rotated, with intervals that say what is known."""
