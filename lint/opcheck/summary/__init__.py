"""A file's text, and what matters in it."""
