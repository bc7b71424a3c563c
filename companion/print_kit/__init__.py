"""The print kit: what a game needs, on pages of true size, as a PDF."""
