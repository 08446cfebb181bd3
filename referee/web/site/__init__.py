"""Pages of the app itself: start page, settings, about, installation, health."""
