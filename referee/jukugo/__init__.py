"""What 熟語ライン needs beside its rules: the words that count, and the cards."""
