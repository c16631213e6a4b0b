"""`python -m opcheck`, where the entry point is not on the path."""

from opcheck.cli import main

main(prog_name="opcheck")
