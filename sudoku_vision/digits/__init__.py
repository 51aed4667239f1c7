"""Read the digits of cells: what is likely in each, and whether it is print or handwriting."""
