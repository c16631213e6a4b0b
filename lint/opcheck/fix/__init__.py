"""Fixes: the edits that mend a finding, a file a kind, and how a project is edited without harm."""
