"""What `tongbox evaluate` measures, and how it is written down."""
