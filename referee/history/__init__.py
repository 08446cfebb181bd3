"""Finished matches: what is counted of them, and files in and out."""
