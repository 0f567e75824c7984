"""Make the pages that come from the code: methods.md from the registries, command-line.md.

`make docs` runs this; a test compares the pages with what it would write.
"""

import os
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parent
COMMANDS = (
    "select",
    "alternatives",
    "compare",
    "demo",
    "methods",
    "pack",
    "report",
    "reproduce",
    "warmup",
)


def methods_page():
    """Return a table of all registered methods."""
    from consilience.aggregation import AGGREGATORS
    from consilience.committee.methods import COMMITTEES
    from consilience.ensemble import ENSEMBLES
    from consilience.selectors import SELECTORS

    lines = [
        "# Methods",
        "",
        "Made by `make docs` from the registries; the same as `consilience methods`.",
        "",
    ]
    methods = ENSEMBLES.joined(COMMITTEES)
    families = {"Selectors": SELECTORS, "Aggregators": AGGREGATORS, "Methods": methods}
    for title, registry in families.items():
        lines += [f"## {title}", "", "| name | class | in the paper | source | what it does |"]
        lines += ["|---|---|---|---|---|"]
        lines += [
            f"| `{e.name}` | `{e.cls.__name__}` | {e.paper} | {e.source} | {e.summary} |"
            for e in registry
        ]
        lines.append("")
    return "\n".join(lines)


def command_page():
    """Return the help of every command as a terminal of 90 columns shows it."""
    lines = ["# Command line", "", "Made by `make docs` from `consilience --help`.", ""]
    plain = {"NO_COLOR": "1", "COLUMNS": "90", "TERMINAL_WIDTH": "90", "TERM": "dumb"}
    for command in ("", *COMMANDS):
        shown = subprocess.run(
            [sys.executable, "-m", "consilience.cli", *command.split(), "--help"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
            env=os.environ | plain,
        ).stdout
        text = "\n".join(line.rstrip() for line in shown.strip().splitlines())
        lines += [f"## consilience {command}".rstrip(), "", "```text", text, "```", ""]
    return "\n".join(lines)


PAGES = {"methods.md": methods_page, "command-line.md": command_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8", newline="\n")
        print(f"wrote docs/{name}")  # noqa: T201
