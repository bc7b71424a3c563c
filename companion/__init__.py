"""The daemon: rules, referee, table loop, journal, emulated table, bots, command line."""
