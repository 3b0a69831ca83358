"""Several photographs of one hand, taken together."""
