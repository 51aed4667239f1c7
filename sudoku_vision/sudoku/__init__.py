"""The game itself, without pictures: boards, rules, solvers, logic, new puzzles, and boards as text."""
