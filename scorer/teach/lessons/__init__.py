"""What a newcomer asks, and the examples that answer it: data, held against the scorer by tests."""
