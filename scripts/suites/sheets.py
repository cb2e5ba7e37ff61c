"""Writes a workbook of dates, times, lengths, texts, formulas and errors, and how openpyxl reads it, for sheets.mjs.

  /usr/bin/python3 scripts/suites/sheets.py FOLDER
"""
import datetime as dt
import json
import random
import sys

from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

folder = sys.argv[1]
random.seed(7)

DATES = ["yyyy-mm-dd", "d/m/yy", "mm-dd-yy", "[$-407]d. mmmm yyyy;@", "mmm-yy"]
MOMENTS = ["yyyy-mm-dd hh:mm:ss", "m/d/yy h:mm", "dd.mm.yyyy hh:mm:ss.000", '"on" yyyy-mm-dd "at" hh:mm', "[Red]yyyy\\-mm\\-dd\\ hh:mm:ss"]
TIMES = ["h:mm:ss", "hh:mm", "h:mm AM/PM", "mm:ss.0"]
LENGTHS = ["[h]:mm:ss", "[hh]:mm"]
NUMBERS = ["General", "0.00", "#,##0", "0.00E+00", '0 "days"', '[$€-407]#,##0.00', "0%", '#,##0.00\\ "MwSt"', "# ?/?"]
SHEET = 40000  # cells, which are less than one answer may have
BLANKS = ["  a", "b  ", "\ttab", " ", "line\nbreak ", " non-breaking ", "ä 漢字 😀"]


def cells(is_1904):
    epoch = dt.datetime(1904, 1, 1) if is_1904 else dt.datetime(1899, 12, 30)
    day = lambda serial: epoch + dt.timedelta(days=serial)
    for at in ([36525, 45000, 61] if not is_1904 else [35064]):
        for second in range(86400):
            yield day(at) + dt.timedelta(seconds=second), random.choice(MOMENTS)
    for _ in range(4000):
        yield day(random.randrange(61, 2956000)) + dt.timedelta(milliseconds=random.randrange(86400000)), MOMENTS[0]
    for serial in range(1, 3000):
        yield serial, random.choice(DATES)
    for _ in range(3000):
        yield random.uniform(0, 1), random.choice(TIMES)
        yield random.uniform(1, 59), random.choice(MOMENTS)
        yield random.randrange(400 * 86400000) / 86400000, random.choice(LENGTHS)
        yield random.uniform(-1e6, 1e6), random.choice(NUMBERS)
    for _ in range(500):
        yield random.choice(BLANKS), "General"
        yield "=1+1", "General"
        yield "#DIV/0!", "General"
        yield random.choice([True, False]), "General"


def plain(value):
    if isinstance(value, dt.timedelta):
        ms = round(value / dt.timedelta(milliseconds=1))
        seconds, part = divmod(ms, 1000)
        text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return text + (f".{part:03}" if part else "")
    if isinstance(value, dt.datetime):
        text = value.isoformat(timespec="milliseconds").replace(".000", "")
        return text.replace("T00:00:00", "") if text.endswith("T00:00:00") else text + "Z"
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat(timespec="milliseconds").replace(".000", "") if isinstance(value, dt.time) else value.isoformat()
    return value


for name, is_1904 in [("1900", False), ("1904", True)]:
    book = Workbook()
    if is_1904:
        book.epoch = CALENDAR_MAC_1904
    book.remove(book.active)
    for i, (value, shown) in enumerate(cells(is_1904)):
        if i % SHEET == 0:
            sheet = book.create_sheet(f"part {i // SHEET + 1}")
        cell = sheet.cell(row=i % SHEET // 20 + 1, column=i % 20 + 1, value=value)
        cell.number_format = shown
    book.save(f"{folder}/{name}.xlsx")
    read = load_workbook(f"{folder}/{name}.xlsx", data_only=True)
    sheets = [
        {
            "name": one.title,
            "shown": [[cell.number_format for cell in row] for row in one.iter_rows()],
            "rows": [[plain(cell.value) for cell in row] for row in one.iter_rows()],
        }
        for one in read
    ]
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump(sheets, file)
