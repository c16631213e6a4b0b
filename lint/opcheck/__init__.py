"""opcheck: finds the backends a custom operator is missing, before the machine that needs them does."""
