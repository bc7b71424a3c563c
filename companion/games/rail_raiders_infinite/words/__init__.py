"""The game in words: names, questions, choices with their chances, prompts, refusals and the log."""
