"""Dispatchers of projects' own, read by what a configuration says of them."""
