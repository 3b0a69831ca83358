"""British Mah-Jong rules: tiles, hand text, scoring. Pure: no input or output of its own."""
