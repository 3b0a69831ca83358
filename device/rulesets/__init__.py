"""Custom rulesets: the rules that a box's players made or brought, in all their versions."""
