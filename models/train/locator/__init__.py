"""The locator: finds every tile, whatever its face, as a quad."""
