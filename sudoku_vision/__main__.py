"""The start of the command line, for ``python -m sudoku_vision`` as well as for ``sudoku-vision``."""

import os
import signal


def main() -> None:
    """Run the command line. Ctrl-C ends the program silently while it is loading."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, _: os._exit(128 + number))
    from sudoku_vision import cli

    cli.main()


if __name__ == "__main__":
    main()
