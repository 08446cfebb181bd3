"""The flow of a deal, for each family of games."""
