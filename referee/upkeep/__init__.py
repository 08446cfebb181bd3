"""What keeps an installation well: backup, restore, copy, doctor."""
