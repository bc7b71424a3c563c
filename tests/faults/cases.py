"""What each of the nine faults is for each device: for docs/faults.md, and all at once."""

from __future__ import annotations

from tests.faults.cases_of_cameras import EMULATED, FOLDER, PICAMERA, V4L2, VIDEO
from tests.faults.cases_of_devices import BUTTONS, CONTROLLER, LAMPS
from tests.faults.cases_of_the_house import DISK, NETWORK
from tests.faults.vocabulary import Cases

DEVICES: dict[str, Cases] = {
    "Buttons on the Pi's pins": BUTTONS,
    "Lamps and buzzer on the Pi's pins": LAMPS,
    "A controller": CONTROLLER,
    "A USB camera": V4L2,
    "A camera on the ribbon cable": PICAMERA,
    "A folder of photographs": FOLDER,
    "A video": VIDEO,
    "The emulated camera": EMULATED,
    "The disk": DISK,
    "The network": NETWORK,
}
