"""Rules, words, decks and quick checks: pages that need no table."""
