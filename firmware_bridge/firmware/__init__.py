"""The firmware of a controller: what a Raspberry Pi Pico runs, in MicroPython.

Here it runs as well, in the emulated controller, and the bridge makes its frames with `frames`. So it
keeps to what both Pythons have. Times are whole milliseconds that never go back or begin anew.
"""
