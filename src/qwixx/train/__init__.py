"""Training: a network learns from its own games what a position is worth."""
