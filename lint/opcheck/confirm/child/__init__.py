"""What runs in the process of its own: files that Python runs by their path, with nothing but its standard library."""
