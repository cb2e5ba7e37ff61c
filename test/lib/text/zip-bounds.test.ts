import { describe, expect, test } from "vitest";
import { readZip } from "../../../src/lib/text/zip-bounds.js";
import { storedZip } from "../../support/stored-zip.js";
import { zipOf } from "../../support/zip.js";

const read = (bytes: Uint8Array, wants: (name: string) => boolean = () => true) => readZip(bytes, wants, "file");
const refused = (message: RegExp) => ({
  code: "INVALID_INPUT",
  issues: [{ path: "file", message: expect.stringMatching(message) }],
});

describe("an archive", () => {
  test("gives the members that are wanted", async () => {
    const members = await read(zipOf({ "a.xml": "<a/>", "b.bin": "b" }), (name) => name.endsWith(".xml"));
    expect([...members].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([["a.xml", "<a/>"]]);
  });

  test("leaves out names that lead out of it", async () => {
    const members = await read(
      storedZip({ "../up": "1", "/etc/passwd": "2", "a/../../b": "3", "C:\\x": "4", "a/b..c": "5" }),
    );
    expect([...members.keys()]).toEqual(["a/b..c"]);
  });

  test("is refused if it unpacks to too much, wanted or not, whatever its header says", async () => {
    const bomb = zipOf({ big: "0".repeat(40_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(read(bomb, () => false)).rejects.toMatchObject(refused(/more than 200 times its size/));
    const random = Array.from({ length: 3 }, (_, i) => [`m${i}`, "0123456789abcdef".repeat(1_400_000)] as const);
    await expect(read(storedZip(Object.fromEntries(random)))).rejects.toMatchObject(refused(/more than 60 MB/));
  });

  test("is refused with too many members, with a password, or if it is none", async () => {
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`m${i}`, ""]));
    await expect(read(storedZip(many))).rejects.toMatchObject(refused(/more than 2000 members/));
    // Before the first one is read, which would be refused by itself.
    const broken = Buffer.from(storedZip(many));
    broken.writeUInt16LE(1, broken.indexOf("PK\x01\x02") + 8);
    await expect(read(broken)).rejects.toMatchObject(refused(/more than 2000 members/));
    const locked = zipOf({ a: "a" });
    locked.writeUInt16LE(1, locked.indexOf("PK\x01\x02") + 8);
    await expect(read(locked)).rejects.toMatchObject(refused(/encrypted/));
    await expect(read(Buffer.from("PK\x03\x04 no more"))).rejects.toMatchObject(refused(/not an archive/));
  });
});
