/** Recordings of what is no text: they replay to the result that was got when they were made. */
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { aircraftLookup } from "../../src/capabilities/aircraft/lookup.js";
import { countryFinancials } from "../../src/capabilities/country/financials.js";
import { createContext } from "../../src/capability/context.js";
import { observe } from "../../src/drift/observe.js";
import { recordingOf } from "../../src/drift/recording.js";
import { samFile } from "../../src/providers/sam/extract.js";
import { forgetBulk, loadBulk } from "../../src/upstream/bulk/bulk.js";
import { faaArchive } from "../support/faa.js";
import { freshFolder } from "../support/fresh-folder.js";
import { recordedExchange, replay } from "../support/recordings.js";
import { samFiles } from "../support/screening-lists.js";
import { fakeUpstream } from "../support/upstream.js";
import { documented } from "./documented.js";

const KEY = "k-98765432";
const now = new Date("2026-05-01T00:00:00Z");
type Fetch = typeof globalThis.fetch;
afterEach(forgetBulk);

/** Runs `work` at an upstream, and again at what was written down of it. */
async function recordAndReplay<T>(upstream: Fetch, work: (fetch: Fetch) => Promise<T>) {
  const observer = observe(upstream);
  const first = await work(observer.fetch);
  const checked = { id: "a.b", input: {}, verdicts: [], exchanges: observer.take() };
  const text = JSON.stringify(recordingOf(checked, { now, keys: [KEY] }));
  const recorded = JSON.parse(text) as { exchanges: unknown[]; origin: { partial?: string } };
  const { fetch } = replay(recorded.exchanges.map((one) => recordedExchange.parse(one)));
  forgetBulk();
  return { first, again: await work(fetch).catch((error: unknown) => error), text, recorded };
}

const answering = (bytes: Uint8Array | string, contentType: string): Fetch => {
  const body = typeof bytes === "string" ? bytes : new Uint8Array(bytes);
  return async () => new Response(body, { headers: { "content-type": contentType } });
};
const asBytes = async (fetch: Fetch) =>
  Buffer.from(await (await fetch("https://files.example/a")).arrayBuffer()).toString("latin1");

describe("a recording of a file", () => {
  it("of the FAA is read again: a ZIP archive", async () => {
    const aircraft = [{ "N-NUMBER": "757F", NAME: "EXAMPLE AIR", "MODE S CODE HEX": "AA3487" }];
    const { first, again } = await recordAndReplay(
      answering(faaArchive({ aircraft }), "application/zip"),
      async (fetch) =>
        aircraftLookup({ tail: "N757F" }, { fetch, secrets: {}, cache: false, dataDir: await freshFolder() }),
    );
    expect(first.items[0]?.owner).toBe("EXAMPLE AIR");
    expect(again).toEqual(first);
  });

  it("of SAM is read again: a list and a ZIP archive", async () => {
    const { first, again } = await recordAndReplay(fakeUpstream(samFiles).fetch, async (fetch) => {
      const ctx = createContext(
        { fetch, secrets: {}, cache: false, dataDir: await freshFolder() },
        { timeoutMs: 9000 },
      );
      return (await loadBulk(ctx, samFile)).index.size;
    });
    expect(first).toBeGreaterThan(0);
    expect(again).toBe(first);
  });

  it("of Damodaran is read again: a workbook", async () => {
    const [workbook] = documented.filter(({ capability }) => capability === "country.financials");
    const { fetch: upstream } = replay(workbook?.exchanges ?? []);
    const { first, again } = await recordAndReplay(upstream, async (fetch) =>
      countryFinancials(
        { code: "DE" },
        { fetch, secrets: { COUNTRY_RISK_SOURCE: "damodaran" }, cache: false, dataDir: await freshFolder() },
      ),
    );
    expect(first.items[0]?.rating).toBe("Aaa");
    expect(again).toEqual(first);
  });

  it.each([
    ["gzip", gzipSync("a,b\n1,2\n"), "application/gzip"],
    ["PDF", Buffer.from("%PDF-1.7\n\u00ff\u00fe stream", "latin1"), "application/pdf"],
    ["a picture", Buffer.from("\u0089PNG\r\n\u001a\n\u0000\u0001", "latin1"), "image/png"],
    ["a text in Latin-1", Buffer.from("Nom;Prénom\nDupré;André\n", "latin1"), "text/csv"],
    ["a text with a byte order mark", Buffer.from("\uFEFFname,of\nä,b\n"), "text/csv"],
    ["JSON with a byte order mark", Buffer.from('\uFEFF{"a":1}'), "application/json"],
  ])("of another kind has the same bytes again: %s", async (_, bytes, contentType) => {
    const { first, again } = await recordAndReplay(answering(bytes, contentType), asBytes);
    expect(again).toBe(first);
    expect(first).toBe(bytes.toString("latin1"));
  });

  it("has no key in it, and its length as before", async () => {
    const bytes = Buffer.from(`PK\u0003\u0004\u0000${KEY} and jane.doe@bank.example`, "latin1");
    const { again } = await recordAndReplay(answering(bytes, "application/zip"), asBytes);
    expect(again).toBe(`PK\u0003\u0004\u0000XXXXXXXXXX and jane.doe@bank.example`);
    const old = Buffer.from(`Pr\u00e9nom ${KEY} jane.doe@bank.example`, "latin1");
    const { again: text } = await recordAndReplay(answering(old, "text/plain"), asBytes);
    expect(text).toBe("Pr\u00e9nom REDACTED nobody@example.com");
  });

  it("that was too large to keep says that it cannot be replayed", async () => {
    const bytes = Buffer.alloc(4 * 1024 * 1024 + 1, "PK\u0003\u0004\u0000");
    const { recorded } = await recordAndReplay(answering(bytes, "application/zip"), asBytes);
    expect(recorded.origin.partial).toBe("Too large to be kept: /a");
  });
});
