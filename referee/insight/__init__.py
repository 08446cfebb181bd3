"""Analyses of finished deals and of simulated matches, with exact odds."""
