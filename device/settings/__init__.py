"""The choices that players make once: settings of the box, its PINs, a ruleset of their own."""
