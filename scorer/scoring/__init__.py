"""What a hand is worth: every candidate priced, for winners and for the others, and written out."""
