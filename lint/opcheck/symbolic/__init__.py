"""Symbolic import: a project's module-level code evaluated once, with its guards kept as conditions."""
