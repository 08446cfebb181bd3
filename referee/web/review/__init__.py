"""Pages about recorded matches: the log, an entry, corrections, contests, the score."""
