"""Reading a project, or taking what an earlier run read of it."""

from __future__ import annotations

from opcheck.config import Settings
from opcheck.discovery import Files
from opcheck.reading import Reading

from .store import keep, kept, stamps


def reading_of(settings: Settings, files: Files, *, cached: bool) -> Reading:
    """What a project declares. Without `cached` nothing is taken from earlier runs, or left for later ones."""
    known = kept(settings, files) if cached else None
    if known is not None:
        return known
    # Imported only where something has to be read: it takes longer than all the rest of such a run.
    from opcheck.read import read  # noqa: PLC0415

    before = stamps(settings, files) if cached else {}
    reading = read(settings, files)
    if cached:
        keep(settings, files, reading, before)
    return reading
