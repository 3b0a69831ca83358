"""The table on every phone: who sits where, who went out, whose hand is worth what, who pays."""
