"""Make a release: packages, and a bundle for a Pi without a network."""
