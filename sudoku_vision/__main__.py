"""The start of the command line, both for ``python -m sudoku_vision`` and for ``sudoku-vision``."""

import os
import signal


def main() -> None:
    """Run the command line. While its modules are being loaded, Ctrl-C ends the program without a message."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, _: os._exit(128 + number))
    from sudoku_vision import cli

    cli.main()


if __name__ == "__main__":
    main()
