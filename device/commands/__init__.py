"""The commands of `tongbox`, one module each with `add_arguments` and `run`."""
