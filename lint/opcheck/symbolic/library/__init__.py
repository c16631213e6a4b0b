"""The parts of Python's own library that module-level code is written with, by subject."""
