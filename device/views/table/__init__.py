"""What the table's pages show."""
