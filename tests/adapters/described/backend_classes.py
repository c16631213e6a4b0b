"""A base, a class of it for one backend, and the description of both: for tests to add the other class."""

from __future__ import annotations

BASE = """
class Backend:
    def sum(self, x):
        raise NotImplementedError
"""
NUMPY = "class NumpyBackend(Backend):\n    def sum(self, x): return x\n"
BY_NAME = 'shape = "classes"\nbase = "lib.Backend"\nbackend = "{backend}Backend"\nbackends = ["numpy", "cupy"]\n'
