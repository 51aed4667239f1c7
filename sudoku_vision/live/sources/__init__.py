"""Cameras, films in files, and streams; all are opened and read in the same way."""
