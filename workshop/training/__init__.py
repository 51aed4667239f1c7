"""Train the models."""
