"""The pictures that the models learn from and are measured on."""
