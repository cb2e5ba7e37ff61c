"""Prints every zone's every change of offset from 1970 to 2037, as zoneinfo reads them: the judge of our table.

    python3 scripts/suites/zones.py <tzdata.zi> > test/suites/time/zones.json

A zone has the count of its changes and a hash of them: for the first instant and each change a line of seconds, offset,
letters, and the letters a second before.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

source = sys.argv[1]
BEGIN, END, STEP = 0, 2145916800, 43200
# Links since release 2024b, which some distributions keep as zones.
LINKS = {
    "EST": "America/Panama", "MST": "America/Phoenix", "HST": "Pacific/Honolulu", "CET": "Europe/Brussels",
    "EST5EDT": "America/New_York", "CST6CDT": "America/Chicago", "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles", "EET": "Europe/Athens", "MET": "Europe/Brussels", "WET": "Europe/Lisbon",
}


def changes(zone):
    at = lambda second: datetime.fromtimestamp(second, zone)
    offset = lambda second: int(at(second).utcoffset().total_seconds())
    yield 0, offset(0), at(0).tzname(), at(0).tzname()
    before = offset(BEGIN)
    for second in range(BEGIN, END, STEP):
        if offset(second + STEP) == before:
            continue
        low, high = second, second + STEP
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(middle) == before else (low, middle)
        before = offset(high)
        yield high, before, at(high).tzname(), at(low).tzname()


with open(source) as text:
    release = text.readline().split()[-1]
zones = {}
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["zic", "-b", "fat", "-d", folder, source], check=True)
    seen = {}
    for place, _, files in sorted(os.walk(folder)):
        for name in sorted(os.path.relpath(os.path.join(place, file), folder) for file in files):
            with open(os.path.join(folder, LINKS.get(name, name)), "rb") as file:
                content = file.read()
            if content not in seen:
                with open(os.path.join(folder, LINKS.get(name, name)), "rb") as file:
                    lines = [f"{a} {b} {c} {d}\n" for a, b, c, d in changes(ZoneInfo.from_file(file))]
                seen[content] = f"{len(lines) - 1} {hashlib.sha256(''.join(lines).encode()).hexdigest()[:16]}"
            zones[name] = seen[content]
print(json.dumps({"release": release, "zones": zones}, indent=0))
