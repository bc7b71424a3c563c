"""A virtual machine with a real kernel, simulated devices and a plug that can be pulled: docs/rig.md."""
