"""The table of an evening or a season: what several matches add up to for the people who played."""
