"""`python -m pte` is the command `pte`."""

from pte.command.start import main

if __name__ == "__main__":
    main()
