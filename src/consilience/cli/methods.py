"""`consilience methods`: what can be chosen, with the paper's name beside ours."""

from typing import Annotated

import typer


def methods(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document.")] = False,
) -> None:
    """List the methods, with their names in the papers."""
    from .names import registries
    from .show import print_json, print_methods

    families = {
        family: [
            {
                "name": entry.name,
                "paper": entry.paper,
                "source": entry.source,
                "summary": entry.summary,
            }
            for entry in registry
        ]
        for family, registry in registries().items()
    }
    if as_json:
        print_json(families)
    else:
        print_methods(families)
