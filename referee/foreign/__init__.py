"""What other programs' files say was played: BG Stats, and tables that people paste."""
