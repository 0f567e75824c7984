"""`python -m consilience` is the command line too."""

from .cli import main

if __name__ == "__main__":
    main()
