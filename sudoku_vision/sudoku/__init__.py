"""The game without a camera: boards, their rules, solving, reasoning, making puzzles, and boards as text."""
