"""What a newcomer learns and practises: lessons, examples, and hands to score."""
