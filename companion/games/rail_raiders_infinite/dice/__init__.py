"""Poker dice: which hand they make and which hand beats which, and how likely each is."""
