"""The named tests that rules make: of a tile, of a set, of a hand; and what completes a hand."""
