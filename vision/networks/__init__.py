"""The networks and what is made of their outputs: where tiles are, and what they are."""
