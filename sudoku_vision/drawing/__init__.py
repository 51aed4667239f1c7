"""What pages and pictures are made with: a canvas, typefaces, grids, and pages to print."""
