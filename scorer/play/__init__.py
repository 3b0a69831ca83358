"""A practice deal: its rules, three players of the box, and a coach (see README.md here)."""
