"""Packs a wheel again with Zopfli, which takes a twentieth off what maturin's zip has, in half a minute, and any pip reads.

usage: pack_wheel.py WHEEL
"""

import os
import struct
import sys
import zipfile
from pathlib import Path

import zopfli.zlib

ITERATIONS = 5
VERSION = 20
UNIX = 3 << 8
DEFLATED = 8


def deflated(content: bytes) -> bytes:
    """Deflate's bytes alone: those of zlib without its header and its checksum."""
    return zopfli.zlib.compress(content, numiterations=ITERATIONS)[2:-4]


def packed(wheel: zipfile.ZipFile) -> bytes:
    """The bytes of a zip with the same files in the same order."""
    files, directory = bytearray(), bytearray()
    entries = wheel.infolist()
    for entry in entries:
        content = deflated(wheel.read(entry))
        year, month, day, hour, minute, second = entry.date_time
        time, date = hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day
        name = entry.filename.encode("ascii")
        what = struct.pack("<5H3L2H", VERSION, 0, DEFLATED, time, date, entry.CRC, len(content), entry.file_size, len(name), 0)
        directory += struct.pack("<4sH", b"PK\x01\x02", UNIX | VERSION) + what
        directory += struct.pack("<3H2L", 0, 0, 0, entry.external_attr, len(files)) + name
        files += b"PK\x03\x04" + what + name + content
    count, start, size = len(entries), len(files), len(directory)
    return bytes(files + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, start, 0))


def main() -> None:
    (path,) = map(Path, sys.argv[1:])
    smaller = path.with_suffix(".part")
    with zipfile.ZipFile(path) as wheel:
        smaller.write_bytes(packed(wheel))
        with zipfile.ZipFile(smaller) as again:
            same = [(entry.filename, entry.external_attr, wheel.read(entry)) for entry in wheel.infolist()]
            if same != [(entry.filename, entry.external_attr, again.read(entry)) for entry in again.infolist()]:
                sys.exit(f"{smaller} does not have the files of {path}; report it")
    os.replace(smaller, path)


if __name__ == "__main__":
    main()
