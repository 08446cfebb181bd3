"""What is wrong with a game file beyond its form, by matter; nothing is played here."""
