"""The screen of shedding games from files."""
