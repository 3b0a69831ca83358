"""The sample photographs of `tongbox serve --demo`."""
