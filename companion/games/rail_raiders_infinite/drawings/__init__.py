"""Rail Raiders Infinite drawn, all our own: for the print kit, the phones and the emulated table."""
