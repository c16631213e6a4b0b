"""Which files a project consists of, and which of them were asked about."""

from .auxiliary import is_auxiliary as is_auxiliary
from .discover import discover as discover
from .files import Files as Files
from .files import files_at as files_at
