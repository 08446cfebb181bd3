"""The start page, settings, about, installing, health."""
