"""Buttons and lamps: gpiozero on the Pi, and their emulations."""
