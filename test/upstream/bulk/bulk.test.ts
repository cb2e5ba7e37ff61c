import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContext } from "../../../src/capability/context.js";
import type { CallOptions } from "../../../src/capability/types.js";
import { type BulkFile, forgetBulk, loadBulk } from "../../../src/upstream/bulk/bulk.js";
import { fakeClock } from "../../support/clock.js";
import { OPEN_TERMS } from "../../support/terms.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulk-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const provider = {
  name: "Lists",
  url: "https://lists.example",
  license: "CC0",
  terms: OPEN_TERMS,
  baseUrl: "https://lists.example",
};

function file(overrides: Partial<BulkFile<string[]>> = {}): BulkFile<string[]> {
  return {
    name: "list.txt",
    provider,
    url: "https://lists.example/list.txt",
    maxAgeMs: 86_400_000,
    maxBytes: 1000,
    async build(stream: Readable) {
      const lines = (await text(stream)).split("\n");
      if (lines[0] !== "HEAD") throw new Error("not the list");
      return lines.slice(1);
    },
    ...overrides,
  };
}

function open(exchanges: Exchange[], options: CallOptions = {}) {
  const fake = fakeUpstream(exchanges);
  const clock = fakeClock(new Date().toISOString());
  const messages: string[] = [];
  const log = (facts: object, message: string) => void messages.push(`${message} ${JSON.stringify(facts)}`);
  const logger = { debug: log, info: log, warn: log, error: log };
  const ctx = createContext({ fetch: fake.fetch, clock, dataDir, logger, ...options }, { timeoutMs: 5000 });
  return { ...fake, clock, ctx, messages };
}

const list = (body: string, headers = {}): Exchange => ({ url: "list.txt", body, headers });
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));

describe("a bulk file", () => {
  it("is downloaded once for all who ask at the same time, kept on disk, and told about", async () => {
    const { ctx, seen, messages } = open([list("HEAD\na\nb")]);
    const loads = await Promise.all(Array.from({ length: 20 }, () => loadBulk(ctx, file())));
    expect(new Set(loads.map(({ index }) => index)).size).toBe(1);
    expect(loads[0]?.index).toEqual(["a", "b"]);
    expect(seen).toHaveLength(1);
    expect(await readFile(join(dataDir, "list.txt"), "utf8")).toBe("HEAD\na\nb");
    expect(messages.join()).toContain("downloaded");
  });

  it("that is already in the folder is used as it is", async () => {
    await writeFile(join(dataDir, "list.txt"), "HEAD\nmine");
    const { ctx, seen } = open([]);
    expect((await loadBulk(ctx, file())).index).toEqual(["mine"]);
    expect(seen).toHaveLength(0);
  });

  it("is asked for by ETag when it is old, serves meanwhile, and is swapped when it changed", async () => {
    const etag = { etag: '"1"', "last-modified": "Mon, 01 Jun 2026 00:00:00 GMT" };
    const { ctx, seen, clock } = open([
      list("HEAD\nold", etag),
      { url: "list.txt", status: 304, body: "" },
      list("HEAD\nnew"),
    ]);
    await loadBulk(ctx, file());
    clock.advance(86_401);
    expect((await loadBulk(ctx, file())).index).toEqual(["old"]);
    await settle();
    expect(seen[1]?.headers.get("if-none-match")).toBe('"1"');
    expect(seen[1]?.headers.get("if-modified-since")).toBe(etag["last-modified"]);
    const unchanged = await loadBulk(ctx, file());
    expect(unchanged.index).toEqual(["old"]);
    expect(unchanged.fetchedAt).toEqual(clock());
    clock.advance(86_401);
    await loadBulk(ctx, file());
    await settle();
    expect((await loadBulk(ctx, file())).index).toEqual(["new"]);
    expect(seen).toHaveLength(3);
  });

  it.each<[string, Exchange]>([
    ["fails", { url: "list.txt", status: 500 }],
    ["brings an error page", list("<html>maintenance</html>")],
    ["is too large", list(`HEAD\n${"x".repeat(2000)}`)],
    ["breaks off", { url: "list.txt", drop: true }],
  ])("UP-10 stays when its refresh %s", async (_, exchange) => {
    const { ctx, clock, messages } = open([list("HEAD\nold"), exchange]);
    await loadBulk(ctx, file());
    clock.advance(86_401);
    await loadBulk(ctx, file());
    await expect.poll(() => messages.join()).toContain("refresh failed");
    expect((await loadBulk(ctx, file())).index).toEqual(["old"]);
    expect(await readFile(join(dataDir, "list.txt"), "utf8")).toBe("HEAD\nold");
    await expect.poll(async () => (await readdir(dataDir)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("that cannot be had is an upstream error, and is asked for again by the next call", async () => {
    const { ctx, seen } = open([{ url: "list.txt", status: 503 }, list("HEAD\na")]);
    await expect(loadBulk(ctx, file())).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    expect((await loadBulk(ctx, file())).index).toEqual(["a"]);
    expect(seen).toHaveLength(2);
  });

  it("with caches off that breaks off before it is read is an error, not the end of the process", async () => {
    const broken: typeof globalThis.fetch = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode("HEAD\n"));
            controller.error(new TypeError("terminated"));
          },
        }),
      );
    const { ctx } = open([], { cache: false, fetch: broken });
    const late = file({
      async build(stream) {
        await settle();
        return [await text(stream)];
      },
    });
    await expect(loadBulk(ctx, late)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("gives a refresh the index in use, so that a list that lost its rows can be refused", async () => {
    const { ctx, clock } = open([list("HEAD\na\nb\nc\nd"), list("HEAD\na")]);
    const wary = file({
      async build(stream, previous) {
        const lines = (await text(stream)).split("\n").slice(1);
        if (previous && lines.length < previous.length / 2) throw new Error("shrunk");
        return lines;
      },
    });
    await loadBulk(ctx, wary);
    clock.advance(86_401);
    await loadBulk(ctx, wary);
    await settle();
    expect((await loadBulk(ctx, wary)).index).toHaveLength(4);
  });

  it("comes from a mirror when its own address does not answer", async () => {
    const { ctx } = open([
      { url: "list.txt", status: 404 },
      { url: "mirror.example", body: "HEAD\nmirrored" },
    ]);
    const { index } = await loadBulk(ctx, file({ mirrors: ["https://mirror.example/copy"] }));
    expect(index).toEqual(["mirrored"]);
  });

  it("with caches off is read from the folder, or streamed and kept nowhere", async () => {
    const { ctx, seen } = open([list("HEAD\na")], { cache: false });
    expect((await loadBulk(ctx, file())).index).toEqual(["a"]);
    expect(await readdir(dataDir)).toEqual([]);
    await writeFile(join(dataDir, "list.txt"), "HEAD\nmine");
    expect((await loadBulk(ctx, file())).index).toEqual(["mine"]);
    expect(seen).toHaveLength(1);
  });
});
