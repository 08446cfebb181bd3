"""Maintenance of an installation: backup, restore, copy, doctor."""
