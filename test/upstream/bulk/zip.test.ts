import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenMember, withZip } from "../../../src/upstream/bulk/zip.js";
import { zipOf } from "../../support/zip.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ziptest-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const archive = zipOf({ "a.txt": "first", "b.txt": "second ".repeat(50_000) });
const readAll = async (open: OpenMember) => {
  const [a, b, none] = [await open("a.txt"), await open("b.txt"), await open("c.txt")];
  return [a && (await text(a)), b && (await text(b)).length, none];
};
const temporary = async () => (await readdir(tmpdir())).filter((name) => /^zip-/.test(name));

describe("a ZIP archive", () => {
  it("is read from its file, which stays", async () => {
    const path = join(folder, "archive.zip");
    await writeFile(path, archive);
    expect(await withZip(createReadStream(path), readAll)).toEqual(["first", 350_000, undefined]);
    expect(await readdir(folder)).toEqual(["archive.zip"]);
  });

  it("is read from any other stream, and leaves nothing behind", async () => {
    const before = await temporary();
    const chunks = Array.from({ length: Math.ceil(archive.length / 100) }, (_, i) =>
      archive.subarray(i * 100, i * 100 + 100),
    );
    expect(await withZip(Readable.from(chunks), readAll)).toEqual(["first", 350_000, undefined]);
    expect(await temporary()).toEqual(before);
  });

  it.each([
    ["no archive", Buffer.from("<html>Not found</html>")],
    ["cut off", archive.subarray(0, archive.length - 60)],
    ["empty", Buffer.alloc(0)],
  ])("is refused when it is %s", async (_, bytes) => {
    const before = await temporary();
    await expect(withZip(Readable.from([bytes]), readAll)).rejects.toThrow();
    expect(await temporary()).toEqual(before);
  });

  it("is refused when its download breaks off before it is read", async () => {
    const broken = new Readable({ read() {} });
    broken.destroy(new Error("terminated"));
    await expect(withZip(broken, readAll)).rejects.toThrow("terminated");
  });

  it("is refused when a member is damaged", async () => {
    const damaged = Buffer.from(archive);
    damaged.fill(0xff, 60, 80);
    await expect(withZip(Readable.from([damaged]), readAll)).rejects.toThrow();
  });
});
