"""The referee's core: pure (no web, no database, no clock, no randomness, no files)."""
