"""What each fault is for each kind of camera, and what the phones say of it."""

from __future__ import annotations

from tests.faults.vocabulary import HANGS, ITSELF, RIGHT, TAP, Case, Cases, Senseless

_NO_PICTURE = "See to its cable; meanwhile enter dice on a phone. It is tried again by itself."

V4L2: Cases = {
    "silent": Case(
        "it is open and sends nothing", ITSELF, "The camera has given no picture for … seconds.", _NO_PICTURE
    ),
    "drop": Case("every other picture is torn: it is passed over", ITSELF),
    "garble": Case(
        "all pictures are torn",
        ITSELF,
        "The camera … gives broken pictures.",
        "See to its cable; a long or thin one, or a hub, may be the reason.",
    ),
    "slow": Case("a picture takes more than half a second: each is waited for", ITSELF),
    "unplug": Case(
        "its plug is pulled; it is found again as another /dev/video…",
        ITSELF,
        "There is no camera at ….",
        "Plug it in, or name another.",
    ),
    "busy": Case(
        "another program has it",
        ITSELF,
        "The camera … is in use by … (process …).",
        "End that program. It is tried again by itself.",
    ),
    "no permission": Case(
        "the user is not in the group of cameras",
        RIGHT,
        "The camera … may not be used by this user.",
        "Type: sudo usermod -aG video $USER, log in again and start again.",
    ),
    "storm": Case("it sends a thousand pictures a second: ten are asked for, the newest", ITSELF),
    "block": Case(
        "it hangs in the driver when it is opened; the process in which it does is killed",
        ITSELF,
        "The camera … does not open: nothing came of it in … seconds.",
        "Pull its plug and put it in again, or name another camera. It is tried again by itself.",
    ),
}

_RIBBON = "See to the ribbon cable at both ends. It is tried again by itself."

PICAMERA: Cases = {
    "silent": Case(
        "no picture is finished",
        ITSELF,
        "The camera on the ribbon cable has given no picture for … seconds.",
        _RIBBON,
    ),
    "drop": Senseless("libcamera hands over whole pictures. That one is left out makes the next one late."),
    "garble": Case(
        "the pictures have another size than was asked for",
        ITSELF,
        "The camera on the ribbon cable gave a picture of the wrong size ….",
        _RIBBON,
    ),
    "slow": Case("a picture takes more than half a second: each is waited for", ITSELF),
    "unplug": Case(
        "the cable has come loose",
        ITSELF,
        "No camera is found on the Raspberry Pi's ribbon cable.",
        "Switch the Raspberry Pi off, push the cable in at both ends, with its contacts the right way round, "
        "and start again. `rpicam-hello --list-cameras` shows what is found.",
    ),
    "busy": Case(
        "another program has it",
        ITSELF,
        "The camera on the ribbon cable is in use by another program (…).",
        "End that program, such as rpicam-hello or another Stationmaster. It is tried again by itself.",
    ),
    "no permission": Case(
        "the user is not in the group of cameras",
        RIGHT,
        "The camera on the ribbon cable may not be used by this user (…).",
        "Type: sudo usermod -aG video $USER, log in again and start again.",
    ),
    "storm": Senseless("It is told how many pictures to take a second."),
    "block": Case(
        "picamera2 waits for ever; the process in which it does is killed",
        ITSELF,
        "The camera has given no picture for … seconds.",
        _NO_PICTURE,
    ),
}

_NO_DRIVER = "Files are read by any number of programs."
_ITS_OWN_PACE = "How fast it shows is its own to say."
_NOT_THERE = (
    "… is not there any more.",
    "See to the disk or the network that it is on. It is tried again by itself.",
)
_HUNG = ("What serves the camera has hung for … seconds.", HANGS)
_NO_PHOTOGRAPH = ("There is no photograph to be read in ….", "Put JPEG or PNG pictures there.")
_NO_VIDEO = (
    "… cannot be read as a video or a photograph.",
    "Name a video (MP4, AVI, MKV), a photograph, or a folder of photographs.",
)

FOLDER: Cases = {
    "silent": Case("there is no photograph in it", TAP, *_NO_PHOTOGRAPH),
    "drop": Case("one photograph cannot be read: it is left out, and the log names it", ITSELF),
    "garble": Case("not one of its photographs is a picture", TAP, *_NO_PHOTOGRAPH),
    "slow": Case("each photograph takes a while to be read: the one before lies there meanwhile", ITSELF),
    "unplug": Case("the stick or the share that it lies on goes away", ITSELF, *_NOT_THERE),
    "busy": Senseless(_NO_DRIVER),
    "no permission": Case(
        "the user may not read the photographs",
        RIGHT,
        "This user may not read the photographs in ….",
        "Allow reading it, or name another. Then try again.",
    ),
    "storm": Senseless(_ITS_OWN_PACE),
    "block": Case("the disk or the network that it lies on hangs", ITSELF, *_HUNG),
}

VIDEO: Cases = {
    "silent": Case("the file is empty", TAP, *_NO_VIDEO),
    "drop": Case("it breaks off in the middle: the last picture lies there, as at any video's end", ITSELF),
    "garble": Case("it is no video", TAP, *_NO_VIDEO),
    "slow": Case("it is read more slowly than it runs: pictures that come too late are left out", ITSELF),
    "unplug": Case("the stick that it lies on is gone when it is opened", ITSELF, *_NOT_THERE),
    "busy": Senseless(_NO_DRIVER),
    "no permission": Case(
        "the user may not read it",
        RIGHT,
        "This user may not read ….",
        "Allow reading it, or name another. Then try again.",
    ),
    "storm": Case("it says that it runs at a thousand pictures a second: ten are shown", ITSELF),
    "block": Case("the disk or the network that it lies on hangs", ITSELF, *_HUNG),
}

_NO_DEVICE = "There is no device of which another program, or a right, could be in the way."

EMULATED: Cases = {
    "silent": Case(
        "its pictures never come", ITSELF, "The camera has given no picture for … seconds.", _NO_PICTURE
    ),
    "drop": Senseless("It gives the newest picture when it is asked; one that is left out is not missed."),
    "garble": Case(
        "the picture jumps about: nothing is read before it is still",
        ITSELF,
        tried="tests/emulated/test_faults.py::test_a_shaken_camera_says_nothing_wrong",
    ),
    "slow": Case("a picture takes more than half a second: each is waited for", ITSELF),
    "unplug": Case("its cable is pulled", ITSELF, "The emulated camera is unplugged.", "Plug it in again."),
    "busy": Senseless(_NO_DEVICE),
    "no permission": Senseless(_NO_DEVICE),
    "storm": Senseless(_ITS_OWN_PACE),
    "block": Case("drawing the picture does not come back", ITSELF, *_HUNG),
}
