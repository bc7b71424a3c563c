"""Buttons on the Pi's pins, a number display on a serial line, and their emulations."""
