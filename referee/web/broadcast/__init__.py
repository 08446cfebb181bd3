"""Live pages: a table for people who are not at it, as a page, an overlay, a feed, a text."""
