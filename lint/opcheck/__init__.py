"""opcheck: finds the backends a custom operator is missing, before the machine that needs them does."""

__version__ = "0.1.0"
