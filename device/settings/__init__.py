"""The few choices that players make once: how the box is used, its PIN, a ruleset of their own."""
