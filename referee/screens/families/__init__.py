"""Shared screens and quick checks of families of games."""
