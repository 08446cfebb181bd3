"""Pages of a group of players: its history, people, and files."""
