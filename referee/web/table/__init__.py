"""The table page: plays, seats, and how a phone comes to a table."""
