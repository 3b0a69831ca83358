"""Price every candidate for a hand's score, of winners and losers, and write out its lines."""
