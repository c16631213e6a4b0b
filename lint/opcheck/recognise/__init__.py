"""Dispatchers of projects' own, recognised by their shape: descriptions to begin with, proposed and never assumed."""
