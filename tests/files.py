"""Small files, written on the spot with the folders that they lie in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_all(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write files by their paths from a folder."""
    return [write(folder / name, text) for name, text in texts.items()]
