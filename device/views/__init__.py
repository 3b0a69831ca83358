"""The values that pages and papers show, gathered before anything is drawn; no web code."""
