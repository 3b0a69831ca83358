"""What the club's pages show."""
