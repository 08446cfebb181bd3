"""A group of players: its history, people, and files."""
