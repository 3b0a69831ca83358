"""What the tutor's pages show."""
