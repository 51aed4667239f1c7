"""Train the models for digits, pencil marks and covered cells."""
