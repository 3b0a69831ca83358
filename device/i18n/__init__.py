"""The texts of the pages, in the language of each phone."""
