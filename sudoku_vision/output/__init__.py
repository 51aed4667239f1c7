"""Draw answers into photos, print pages and write files."""
