"""The emulated table: a physical world, a camera over it, and people who play at it."""
