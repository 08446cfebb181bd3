"""The text of a game file: its TOML with places, its formulas, and what they are compiled to."""
