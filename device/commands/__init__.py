"""The subcommands of `tongbox`, one module each: `add_parser` declares it, `run` does it."""
