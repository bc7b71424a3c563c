"""HellRail, Second Perdition: trains that carry souls around the Circles of Hell, for 2 to 4 players."""
