"""Whether a crop is a mirror image."""
