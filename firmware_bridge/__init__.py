"""Buttons, lamps, buzzer and number display, on the Pi's pins or a controller's, and their emulations."""
