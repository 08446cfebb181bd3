"""A referee for card games played with real cards."""
