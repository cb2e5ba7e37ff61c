import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../../src/capability/define.js";
import { one } from "../../../src/capability/output.js";
import { documentInput, documentKind, MAX_DOCUMENT_BYTES } from "../../../src/upstream/input/document-input.js";
import { recordingFetch, scriptedLookup } from "../../support/outbound.js";

const document = documentInput({ text: true, accept: "text/plain", what: "note" });
const filesOnly = documentInput({ accept: "application/pdf", what: "PDF" });

/** Tells how a document arrived. */
const tell = defineCapability({
  id: "note.tell",
  method: "POST",
  summary: "Tell how a note arrived.",
  price: "0.001",
  source: { provider: "built-in", url: "https://example.com", license: "MIT" },
  input: () => z.strictObject({ ...document.fields() }),
  output: one(() => z.object({ text: z.string(), field: z.string(), kind: z.string() })),
  example: { text: "a" },
  check: document.check,
  async run(input, ctx) {
    const { text, field, kind } = await document.load(input, ctx);
    return { item: { text: text(), field, kind } };
  },
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const told = async (input: object, options = {}) => (await tell(input as never, options)).items[0];
const refusal = (path: string, message: RegExp) => ({
  status: 400,
  issues: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
});

describe("a document", () => {
  test("arrives as text, as a file, or at an address", async () => {
    expect(await told({ text: "größer" })).toEqual({ text: "größer", field: "text", kind: "text" });
    expect(await told({ file: base64("\uFEFF<?xml version='1.0'?>") })).toMatchObject({ field: "file", kind: "xml" });
    const { fetch, seen } = recordingFetch(
      () =>
        new Response(Buffer.from("gr\xf6\xdfer", "latin1"), {
          headers: { "content-type": "text/plain; charset=latin1" },
        }),
    );
    const options = { fetch, outbound: { lookup: scriptedLookup().lookup } };
    expect(await told({ url: "https://example.com/note" }, options)).toMatchObject({ text: "größer", field: "url" });
    expect(seen).toHaveLength(1);
  });

  test("may be base64 of either alphabet, with line breaks, without padding, or a data URL", async () => {
    for (const file of ["Pz8/Pj4+", "Pz8_Pj4-", "Pz8/\r\nPj4+\n", "data:text/plain;base64,Pz8/Pj4+", "Pz8=/Pj4+"])
      expect(await told({ file })).toMatchObject({ text: "???>>>" });
    expect(await told({ file: "YQ" })).toMatchObject({ text: "a" });
  });

  test.each([
    [{}, "text", /is missing: send the note as text, file or url/],
    [{ text: "a", file: "YQ==" }, "file", /must be left out/],
    [{ file: "YQ==", url: "https://example.com" }, "url", /must be left out/],
    [{ text: " \n" }, "text", /must not be empty/],
    [{ file: "====" }, "file", /must not be empty/],
    [{ file: "a b c d e" }, "file", /must be base64/],
    [{ file: "äöü!" }, "file", /must be base64/],
    [{ file: "YWJj!" }, "file", /must be base64/],
    [{ file: "YWJjZ" }, "file", /must be base64/],
    [{ file: "YW\u0000Jj" }, "file", /must be base64/],
    [{ file: base64("x".repeat(MAX_DOCUMENT_BYTES + 1)) }, "file", /at most 3 MB/],
    [{ text: "ä".repeat(MAX_DOCUMENT_BYTES / 2 + 1) }, "text", /at most 3 MB/],
    [{ url: "ftp://example.com/a" }, "url", /http or https/],
    [{ url: "http://10.0.0.1/a" }, "url", /public address/],
    [{ url: "http://localhost/a" }, "url", /public address/],
  ])("is refused before a price is quoted: %.60j", async (input, path, message) => {
    await expect(told(input)).rejects.toMatchObject(refusal(path, message));
  });

  test("that cannot be text has no such field", async () => {
    expect(Object.keys(filesOnly.fields())).toEqual(["file", "url"]);
    await expect(filesOnly.check({}, { outbound: {} })).rejects.toMatchObject(refusal("file", /as file or url/));
  });

  test("at an address that is too large is refused", async () => {
    const { fetch } = recordingFetch(() => new Response("x".repeat(MAX_DOCUMENT_BYTES + 1)));
    const call = told({ url: "https://example.com" }, { fetch, outbound: { lookup: scriptedLookup().lookup } });
    await expect(call).rejects.toMatchObject({ code: "RESULT_TOO_LARGE", issues: [{ path: "url" }] });
  });

  test.each([
    ["%PDF-1.7", "pdf"],
    ["PK\x03\x04", "zip"],
    ["\x1f\x8b\x08", "gzip"],
    ["\x89PNG\r\n", "png"],
    ["\xff\xd8\xff\xe0", "jpeg"],
    ["\xd0\xcf\x11\xe0", "ole"],
    ["\xef\xbb\xbf <a>", "xml"],
    ["\xff\xfe<\0a\0>\0", "xml"],
    ["a < b", "text"],
    ["a\0b", "binary"],
  ])("has a kind by its first bytes: %j", (head, kind) => {
    expect(documentKind(Buffer.from(head, "latin1"))).toBe(kind);
  });
});
