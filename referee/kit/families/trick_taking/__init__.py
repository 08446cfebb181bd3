"""Trick-taking games: the flow of a deal of tricks."""
