"""What was recorded: the log, an entry, corrections, contests, the score."""
