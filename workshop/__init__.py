"""The workshop beside the package: it draws synthetic photos, measures reading, and trains the models.

Run it from a clone as ``python -m workshop train|evaluate|draw``; training needs the extra ``train``. The
package ``sudoku_vision`` imports nothing from here.
"""
