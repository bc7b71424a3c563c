"""Frames in, Readings out: sources, calibration, settling, dice, tokens."""
