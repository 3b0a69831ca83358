"""What the page says, in the language of each phone."""
