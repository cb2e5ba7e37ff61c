"""Writes texts and numbers, and judges YAML made of them by PyYAML, a reader of YAML 1.1, for yaml11.mjs.

  /usr/bin/python3 scripts/suites/yaml11.py write FILE.json
  /usr/bin/python3 scripts/suites/yaml11.py judge FILE.json FILE.yaml
"""
import itertools
import json
import random
import sys

import yaml

random.seed(11)
WORDS = "y Y yes Yes YES n N no No NO true True TRUE false on On ON off Off OFF ~ null Null NULL = << .inf -.Inf +.INF .nan .NaN . .. ... - -- --- ? : , [ ] { } # & * ! | > ' \" % @ `".split()
SHAPES = "0 007 0777 0o7 0x1F 0b101 1_000 1,000 1e3 1E3 1e+3 1.5e-3 1. .5 +1 -1 12:30 1:30 01:30 190:20:30 1:2.5 2026-01-01 2026-1-1 2026-01-01T10:00:00Z 2026-01-01t10:00:00 2026-01-01 10:00:00.5 +02:00".split(" ")
SHAPES += ["2026-01-01 10:00:00", "2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43.1-05:00"]
SIGNS = "0 1 9 _ . : - + e x o a T Z ~ = < y # ' \" \\ , | > ? ! & * % @ { [".split(" ") + [" ", "\t", "\n", "\r", "\x7f", "\x85", "\u2028", "\ufeff", "é", "😀", "\x1b"]


def texts():
    yield from WORDS + SHAPES + [""]
    for length in (1, 2):
        yield from ("".join(signs) for signs in itertools.product(SIGNS, repeat=length))
    for _ in range(8000):
        yield "".join(random.choice(SIGNS) for _ in range(random.randrange(3, 9)))
    for word in WORDS + SHAPES:
        yield from [word + " ", " " + word, word + "\n", word + ":", "a " + word, word + " a", word + "_", "+" + word]


def numbers():
    for _ in range(2000):
        yield random.choice([random.uniform(-1e9, 1e9), random.uniform(0, 1) * 10 ** random.randrange(-300, 300), random.randrange(-10**15, 10**15)])


def main(task, json_file, yaml_file=None):
    if task == "write":
        unique = list(dict.fromkeys(texts()))
        # One list at a time has fewer values than an answer may have.
        value = {"values": unique + list(numbers()), "keys": {text: 1 for text in unique}, "nested": [{text: [text]} for text in unique[:3000]]}
        with open(json_file, "w") as file:
            json.dump(value, file)
        return
    with open(json_file) as file:
        wanted = json.load(file)
    with open(yaml_file, newline="") as file:
        read = yaml.safe_load(file.read())
    pairs = list(zip(wanted["values"], read["values"], strict=True))
    pairs += [(key, key if key in read["keys"] else None) for key in wanted["keys"]]
    pairs += list(zip(wanted["nested"], read["nested"], strict=True))
    alike = lambda a, b: float(a) == float(b) if isinstance(a, (int, float)) and isinstance(b, (int, float)) else a == b
    wrong = [pair for pair in pairs if not alike(*pair)]
    for pair in wrong[:10]:
        print("wanted, got:", pair)
    print(f"PyYAML {yaml.__version__}: {len(pairs) - len(wrong)} of {len(pairs)} as they were")


main(*sys.argv[1:])
