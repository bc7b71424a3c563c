"""The markers of the ArUco dictionary DICT_5X5_250, as the squares that are white in them."""

from __future__ import annotations

MODULES = 7
"""Squares along a marker's side: five of the code, and the black frame around it."""

_CODE = MODULES - 2

# Seven hexadecimal digits a marker: its 25 squares row by row, the white ones set.
_CODES = (
    "145b2bc01c06e61af0edd10395f71aeb5241d4082d0d3d7ec0e2146b10d61321313fa513cee031a2dac01e62b1105e7166"
    "1fcfca8051e37f097a7580bea26f0f64dc41061de812dda75150e44016b0ca10ba12de19cd0231a599721c3ce8b0224246"
    "03b9672024223b027376e0368873040d0ce04aaac804643ba07a6fea0998aac082d10109aad1d0863c720ad28250a52f9e"
    "0d849f70c309d90da7e310e9627a0e9b9970f948060f591250f6b7d711b58e411ad27911e380b116944512ffb4a158cb8d"
    "15987f01422fdf14e1227156df22173dbf1164c93c17cbb861880a8719147dd184eb8a18d85ad1b2cda91babd731e9d432"
    "1e765280f5740a1b11a53018ce6502ab219098e9810a8061c141a158185314c196d12c1fad3a200922b5019bce000b547c"
    "002c76f0132289012d2a700c4b430067bc500faa0d01f1f54038e8790323b2302c364702da51b02e9d8d027c56203efdf5"
    "0521ee00448efd0542f81055f6c9047e00804f9bf8046d55805ef65e069218806013ad068bc21072a5d006400e206dce3a"
    "0891409089d9fd08a3ee508a952a08c277d09d061208ee53309f04fb0b86f1b0b1faee0a36ff00b275f60b533320a603e1"
    "0a798cf0a6dc020b64b5f0bfab990cacc850cb8f5e0cc6ea20ce198b0e12cbb0f8c7010f357520e47a8c0e7cb651084d18"
    "113e20210d5dd311447f31286ae31388a3612a3f4912d1b2012e4d6e1366ece1378dc114134dd148a50d151610b15b3684"
    "15fe0b11605cc71601e30179d56517d889916705f4166b07917e8bdc17eac6718875e0199d30618a660119a44c718c1115"
    "18d287e195dd0919f4e25196c3c51a005d21b96e8c1b317091b39d641a532811a5a22e1bcb4dd1b48e851b678201b71f92"
    "1d031c71ca38de1c35c711db72f71d3c0641d6ba181dff33a1f022021f00fa61ec04411ec36bf1fd6bda1f466711f49583"
    "1ee5ee11efd5f91fe31291f746bc0d1705e1321e17133b04d1c8be1d03a20dd055826106882c706f80e907e6b970ad4098"
    "0ae70730cd31700e74a2e0fe59fb1168fd214b872e15353d616a336e165b53318983e8195723c1b0df471bf1b1c1cacd1f"
    "1da8e351e0cf0d00853dd000468f00145f6009919c001a5c3018141e011178c0190cb600b03fa002e23c003842b003cee2"
    "012537e01a203701a0a3001bda5f01acdbc013e4ec005a105004c59200de75200dde4601c7c2401535bb"
)


def white_runs(id: int) -> tuple[tuple[int, int, int], ...]:
    """Where the marker of that number (0 to 249) is white: row, first column and count of each run.

    Rows and columns count from the upper left square of the frame.
    """
    squares = f"{int(_CODES[7 * id : 7 * id + 7], 16):0{_CODE * _CODE}b}"
    runs = []
    for row in range(_CODE):
        line = squares[_CODE * row : _CODE * (row + 1)]
        column = 0
        while (start := line.find("1", column)) >= 0:
            end = line.find("0", start)
            column = len(line) if end < 0 else end
            runs.append((row + 1, start + 1, column - start))
    return tuple(runs)
