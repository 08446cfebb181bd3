"""Finished matches: their statistics and ratings, and exports and imports."""
