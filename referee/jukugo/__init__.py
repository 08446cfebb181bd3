"""The words and the decks of 熟語ライン, and proofs about them."""
