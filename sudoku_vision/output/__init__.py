"""What is drawn and written: answers in photos, pages to print, files."""
