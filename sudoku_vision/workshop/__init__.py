"""What makes and measures the models: pictures drawn with the truth about them, evaluation, training."""
