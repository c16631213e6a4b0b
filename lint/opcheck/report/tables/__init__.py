"""Dispatch tables, written out: one file a format."""
