"""What was found, written out: one file a format."""
