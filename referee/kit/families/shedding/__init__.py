"""The family of games in which players shed their hands: the flow of a deal."""
