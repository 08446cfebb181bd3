"""Pages of a table: plays, seats, and joining."""
