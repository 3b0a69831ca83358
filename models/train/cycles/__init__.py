"""Another renderer, for validation alone: Blender's Cycles. No network is trained on it."""
