"""The cells gained and lost since a revision, written out: one file a format."""
