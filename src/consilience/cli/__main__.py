"""`python -m consilience.cli` is `consilience`."""

import sys

from .app import main

if __name__ == "__main__":
    sys.exit(main())
