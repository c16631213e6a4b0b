"""The program: `opcheck`, and `python -m opcheck` where that is not on the path."""

from __future__ import annotations

import atexit
import gc

from opcheck.cli import main


def run() -> None:
    """Run one command. What it made goes with the process: to look through it first takes longer than most commands."""
    gc.disable()
    atexit.register(gc.freeze)
    main(prog_name="opcheck")


if __name__ == "__main__":
    run()
