"""The rules as data: the files that come with the package, and how a table's own is read."""
