"""The choices that players make once: settings of the box, and its PINs."""
