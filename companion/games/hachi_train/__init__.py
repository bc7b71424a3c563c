"""Hachi Train."""
