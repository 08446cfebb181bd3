"""How the games of a family look, and what their quick checks share."""
