"""Hachi Train as drawings, all our own: cards, the sheet, the print kit, and what phones and pixels show."""
