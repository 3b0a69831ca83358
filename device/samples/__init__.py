"""The sample photographs of `tongbox serve --demo`, made by the project's own renderer."""
