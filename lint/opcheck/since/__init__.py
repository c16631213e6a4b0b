"""Dispatch tables beside those of an earlier revision: nothing of the project is touched."""
