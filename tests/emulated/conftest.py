"""Each test keeps to one core, so that those that run beside it have theirs."""

from __future__ import annotations

import cv2

cv2.setNumThreads(1)
