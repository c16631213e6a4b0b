"""The words every layer shares: conditions, targets, the dispatch table, findings."""
