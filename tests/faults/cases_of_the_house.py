"""What each fault is for the disk and for the network, and what is said of it."""

from __future__ import annotations

from tests.faults.vocabulary import ITSELF, Case, Cases, Senseless

_AGAIN = "when it is done again"
_LOOK = (
    "Look at what the system says of the disk: sudo dmesg | tail -n 20. A memory card may be worn out. "
    "Then do it again."
)

DISK: Cases = {
    "silent": Senseless(
        "A card that says it has written and has not looks like one that has. After a power cut the game "
        "then lacks its last acts; what is damaged is set aside and said."
    ),
    "drop": Case(
        "only the beginning of what is to be written is taken: none of it counts",
        _AGAIN,
        "The disk did not take it (…), so nothing was changed.",
        _LOOK,
    ),
    "garble": Case(
        "what was written is damaged when Stationmaster starts: it is set aside, and a new game begins",
        "anew, from the pieces on the table",
        "The journal was damaged (…) and has been kept as …. A new one was begun: set the table up again "
        "from the pieces that lie on it.",
        "Start the game again from the table.",
    ),
    "slow": Case("a write takes a second: its answer comes with it", ITSELF),
    "unplug": Case(
        "the disk can only be read any more, as the system does with a damaged one",
        _AGAIN,
        "The disk can only be read, so nothing was changed.",
        "A damaged memory card ends so. Start the machine again; if it comes back, take a new card.",
    ),
    "busy": Case(
        "another program writes into the games' file",
        _AGAIN,
        "Another program holds the games (…), so nothing was changed.",
        "End that program, then do it again.",
    ),
    "no permission": Case(
        "the folder is somebody else's: Stationmaster does not start, and the log says so",
        "at the next start",
        "The state folder … cannot be written (…).",
        "Name another with --state, or give this user the right to write there.",
    ),
    "storm": Case(
        "there is no room left on it",
        _AGAIN,
        "The disk is full, so nothing was changed.",
        "Make room: sudo apt-get clean; sudo journalctl --vacuum-size=100M; remove what you do not need. "
        "Then do it again.",
    ),
    "block": Case(
        "a write does not come back: the table waits, the pages are still there",
        ITSELF,
        "The disk has not taken what was said last for some seconds: the table waits for it.",
        "Wait, and look here before you say it again. If it lasts, look at what the system says of the disk: "
        "sudo dmesg | tail -n 20. A memory card that does so often is worn out.",
    ),
}

_SERVING = "tests/web/test_serving.py::"
_PHONES = "tests/web/test_phones.py::"

NETWORK: Cases = {
    "silent": Case(
        "a phone is gone without a word: after ten seconds of silence it counts as away",
        ITSELF,
        tried=f"{_SERVING}test_a_phone_that_vanishes_without_a_word_is_given_up_after_ten_seconds",
    ),
    "drop": Case(
        "a line breaks in the middle of a request: nothing is done, and the phone asks again", ITSELF
    ),
    "garble": Case(
        "what comes is no request",
        ITSELF,
        "The table cannot read this: …",
        "Load the page again, then try once more.",
    ),
    "slow": Case(
        "a request does not come to its end: it keeps nobody else waiting",
        ITSELF,
        "This took too long to arrive.",
        "Load the page again, then try once more.",
    ),
    "unplug": Case(
        "the network is gone: buttons and camera go on, each phone says that it has lost the table",
        ITSELF,
        tried=f"{_PHONES}test_a_phone_without_network_is_told_and_comes_back_to_the_present",
    ),
    "busy": Case(
        "another program has the port: Stationmaster does not start, and the log says so",
        "at the next start",
        "Port … is taken by another program.",
        "End that one, or name another port with --port.",
    ),
    "no permission": Case(
        "a port below 1024 without the service's right to it: Stationmaster does not start, and the log "
        "says so",
        "at the next start",
        "Port 80 is for root and the service alone.",
        "Name one from 1024 on, as --port 8080.",
    ),
    "storm": Case(
        "more pages are open than are kept live: one too many is told so, the others stay",
        ITSELF,
        tried=f"{_SERVING}test_one_stream_too_many_is_told_so_and_the_place_is_free_again",
    ),
    "block": Case(
        "a phone takes nothing of what it is sent: it gets the newest page once it does",
        ITSELF,
        tried=f"{_SERVING}test_a_frozen_phone_is_owed_one_page_and_no_more",
    ),
}
