"""Rules of British Mah-Jong: tiles, hand text, scoring. Pure: the standard library alone."""
