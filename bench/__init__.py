"""Figures, measured in one run so that their ratios can be compared: ``make bench``."""
