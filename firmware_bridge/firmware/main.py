"""What MicroPython starts by itself when this file lies at the top of the board's flash."""

import firmware.start  # type: ignore[import-not-found] # noqa: F401  # as the folder is called there
