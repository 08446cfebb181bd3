"""One more card, or stop: games whose cards all lie open."""
