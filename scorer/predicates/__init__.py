"""The named tests that rules use, of sets, bonus tiles and hands; and the tiles that complete."""
