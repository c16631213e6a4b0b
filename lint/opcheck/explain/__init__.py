"""How a rule comes to its answer about one op: what is written, what a target makes of it, what would change it."""
