"""Editions of the game as data: the words that card effects are made of, reading a pack and checking it."""
