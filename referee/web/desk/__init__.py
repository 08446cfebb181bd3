"""Tonight's desk: who is here, who sits where, the running round, the standing."""
