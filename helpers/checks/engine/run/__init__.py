"""Run a function in a sandbox, read what it returns, compare numbers."""
