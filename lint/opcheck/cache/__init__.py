"""What was read of a project, kept from one run to the next for as long as no file of it changes."""
