"""The 42 tile faces as vector drawings of our own, for the page's sprite and for training."""
