"""What `make release` makes: packages, and a bundle for a Pi without a network."""
