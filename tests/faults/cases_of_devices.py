"""What each fault is for buttons, lamps and a controller, and what the phones say of it."""

from __future__ import annotations

from tests.faults.vocabulary import HANGS, ITSELF, RIGHT, TAP, Case, Cases, Senseless

_CHIP_FAILS = "Check the wiring. This is tried again by itself."
_PIN_IS_BUSY = (
    "End that program; gpioinfo shows which lines are taken. What the system itself holds is freed in "
    "config.txt, or use another pin. This is tried again by itself."
)
_NO_PINS = Case(
    "the user is not in the group of the pins",
    RIGHT,
    "This user may not use the pins (…).",
    "Type: sudo usermod -aG gpio $USER, then log in again.",
)
_NOTHING_COMES = "A lamp and a buzzer say nothing, so nothing can be missed, or be wrong."

BUTTONS: Cases = {
    "silent": Case(
        "the kernel tells no edge of a line: it is looked at now and then, and every 4 ms once that was "
        "noticed; each press counts. A wire that is cut looks like a button that nobody presses",
        ITSELF,
    ),
    "drop": Case("one edge of each press is lost: it is looked at as well, and counts once", ITSELF),
    "garble": Case("spikes of a motor nearby, and contacts that bounce: no press, or one", ITSELF),
    "slow": Case("edges are told a second late: a press counts once all the same", ITSELF),
    "unplug": Case(
        "the chip of the pins fails while they are in use",
        ITSELF,
        "GPIO 4 of the button of place 1 cannot be used (…).",
        _CHIP_FAILS,
    ),
    "busy": Case(
        "another program, or a driver of the system, has a line; the others work",
        f"{ITSELF}, and {TAP}",
        "GPIO 5 of the button of place 2 is in use by another program (…). The kernel knows its user as "
        "'spi0 CS0'.",
        _PIN_IS_BUSY,
    ),
    "no permission": _NO_PINS,
    "storm": Case(
        "a bad contact: hundreds of changes a second, and that button is switched off",
        f"{TAP}, once it is mended",
        "GPIO 5 of the button of place 2 changed hundreds of times a second and was switched off.",
        "Check its wire and contact, then try it again. The phones can do what it did.",
    ),
    "block": Case(
        "the pin library does not come back",
        ITSELF,
        "What serves the buttons has hung for … seconds.",
        HANGS,
    ),
}

LAMPS: Cases = {
    "silent": Senseless(
        f"{_NOTHING_COMES} One that stays dark is seen by people; the phones say whose turn it is."
    ),
    "drop": Senseless(_NOTHING_COMES),
    "garble": Senseless(_NOTHING_COMES),
    "slow": Case("each level takes its time: what is shown last is seen in the end", ITSELF),
    "unplug": Case(
        "the chip of the pins fails while they are in use",
        ITSELF,
        "GPIO 9 of the lamp of place 1 cannot be used (…).",
        _CHIP_FAILS,
    ),
    "busy": Case(
        "another program, or a driver of the system, has a line; the others work",
        f"{ITSELF}, and {TAP}",
        "GPIO 10 of the lamp of place 2 is in use by another program (…). The kernel knows its user as "
        "'spi0 CS0'.",
        _PIN_IS_BUSY,
    ),
    "no permission": _NO_PINS,
    "storm": Case("the game changes faster than a lamp: what is shown last is seen", ITSELF),
    "block": Case(
        "the pin library does not come back",
        ITSELF,
        "What serves the lamps has hung for … seconds.",
        HANGS,
    ),
}

_NO_ANSWER = (
    "The controller on … does not answer.",
    "Plug it out and in again. If that does not help, copy the firmware to it, with Stationmaster stopped: "
    "…. It is tried again by itself; the phones do its part meanwhile.",
)

CONTROLLER: Cases = {
    "silent": Case("the board takes what is said and answers nothing", ITSELF, *_NO_ANSWER),
    "drop": Case("two in five lines are lost, either way: all is said again until it is heard", ITSELF),
    "garble": Case(
        "a bit of each byte is turned over",
        ITSELF,
        "What comes from … is not from our firmware, or makes no sense.",
        "Copy the firmware to the board, with Stationmaster stopped: …. If that is done, try another cable. "
        "It is tried again by itself.",
    ),
    "slow": Case("its answers come a second late: presses count once, with the time of the press", ITSELF),
    "unplug": Case(
        "the cable is pulled; it is found again by its name",
        ITSELF,
        "There is no serial line ….",
        "Plug the controller in; ls /dev/serial/by-id names the lines that are there. "
        "It is tried again by itself.",
    ),
    "busy": Case(
        "another program has the line",
        f"{ITSELF}, and {TAP}",
        "The serial line … is in use by another program.",
        "End that program; fuser shows which it is. It is tried again by itself.",
    ),
    "no permission": Case(
        "the user is not in the group of serial lines",
        RIGHT,
        "This user may not use the serial line ….",
        "Type: sudo usermod -aG dialout $USER, then log in again.",
    ),
    "storm": Case(
        "a bad contact on the board: hundreds of changes a second, and that button is switched off",
        f"{TAP}, once it is mended",
        "The button of place 1 (GPIO 2 of the controller) changed hundreds of times a second and was "
        "switched off.",
        "Check its wire and contact, then have it tried again. The phones can do what it did.",
    ),
    "block": Case("the board takes nothing off the line", ITSELF, *_NO_ANSWER),
}
