"""The command line: one file per command; each parses, calls and prints.

`app.main` is the entry point. What is needed to run a selection from a shell lives beside the
commands: `plan` (what was asked for), `run_directory` (where it is kept), `selection` (the run),
`show` (what is printed) and `errors` (what went wrong, in a sentence).
"""

from .app import app, main

__all__ = ["app", "main"]
