"""Train the models; the package ``sudoku_vision`` imports nothing from here."""
