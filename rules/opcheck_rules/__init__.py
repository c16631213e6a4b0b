"""The dispatch table, its words, and the rules: one file each, listed in `ALL_RULES`."""
