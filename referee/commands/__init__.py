"""The commands that need several rooms, and what all commands share."""
