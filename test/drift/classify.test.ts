/** The twelve ways at answers made of the shapes: a sample of test/drift/broken-ways.test.ts that needs no recording. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CapabilityRun, classify } from "../../src/drift/classify.js";
import { newestIn } from "../../src/drift/compare.js";
import type { Exchange } from "../../src/drift/observe.js";
import { type CallShape, readShape } from "../../src/drift/shape.js";
import { SHAPES } from "../../src/drift/shapes.js";
import { decodeTree } from "../../src/drift/tree.js";
import { pathFromRoot } from "../support/render-indexes.js";
import { answerOf } from "./synthetic.js";
import { type Sent, WAYS } from "./ways.js";

const shapes = SHAPES.map(readShape);
const json = shapes.filter(
  ({ format, host, by }) => format === "json" && !host.includes("*") && !/^(?:type|action)=/.test(by ?? ""),
);
const NOW = Date.parse("2026-05-02T00:00:00Z");

const exchangeOf = (shape: CallShape, sent: Sent): Exchange => ({
  method: shape.method,
  url: new URL(`https://${shape.host}${shape.path.replaceAll("*", "x1")}`),
  body: shape.by?.startsWith("method=") ? JSON.stringify({ jsonrpc: "2.0", method: shape.by.slice(7) }) : undefined,
  status: sent.status ?? 200,
  headers: new Headers(sent.headers),
  contentType: sent.contentType ?? "application/json",
  bytes: typeof sent.body === "string" ? new TextEncoder().encode(sent.body) : sent.body,
  whole: true,
  // What cannot be unpacked breaks off while it is read.
  ...(sent.headers?.["content-encoding"] ? { failure: new TypeError("terminated") } : {}),
});

async function classOf(shape: CallShape, sent: Sent, more: Partial<CapabilityRun> = {}) {
  const run = {
    exchanges: [exchangeOf(shape, sent)],
    isEmpty: false,
    expectsRows: true,
    keyed: false,
    now: NOW,
    ...more,
  };
  const [verdict] = await classify(run, shapes);
  return verdict;
}

const bodyOf = (shape: CallShape) => JSON.stringify(answerOf(shape));

describe("an answer as it was", () => {
  it("is ok at every call", async () => {
    const wrong = [];
    for (const shape of json) {
      const verdict = await classOf(shape, { body: bodyOf(shape) }, { expectsRows: false });
      if (verdict?.class !== "ok") wrong.push([shape.provider, shape.call, verdict]);
    }
    expect(json.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });
});

describe.each(WAYS)("$name", (way) => {
  it(`is ${way.expects} at 95 % of the calls where it applies, and more`, async () => {
    let [applies, right] = [0, 0];
    for (const shape of json.filter((_, at) => at % 2 === 0)) {
      const text = bodyOf(shape);
      const bytes = new TextEncoder().encode(text);
      const decoded = await decodeTree({ contentType: "application/json", bytes, whole: true });
      const freshDays = decoded.tree && newestIn(decoded.tree, NOW) !== undefined ? 3 : undefined;
      const sent = way.apply({ contentType: "application/json", text, bytes, decoded, shape, freshDays, pick: 0.5 });
      if (!sent) continue;
      applies++;
      if ((await classOf(shape, sent, { freshDays }))?.class === way.expects) right++;
    }
    expect(applies).toBeGreaterThan(15);
    expect(right / applies).toBeGreaterThanOrEqual(0.95);
  });
});

describe("a verdict", () => {
  const [fdic] = shapes.filter(({ provider, call }) => provider === "fdic" && call === "institutions");
  if (!fdic) throw new Error("no shape of the FDIC");

  it("says of 403 whether the key or the caller is refused, and of 429 that the allowance is spent", async () => {
    const of = async (status: number, keyed: boolean) =>
      (await classOf(fdic, { status, body: "no" }, { keyed }))?.class;
    expect([await of(403, true), await of(403, false), await of(401, false)]).toEqual(["auth", "blocked", "auth"]);
    expect([await of(429, false), await of(402, true), await of(500, true), await of(451, false)]).toEqual([
      ...["quota", "quota", "outage", "blocked"],
    ]);
  });

  it("is of our own reader where the structure is as it was and the run failed all the same", async () => {
    const error = new TypeError("cannot read");
    expect((await classOf(fdic, { body: bodyOf(fdic) }, { error }))?.class).toBe("parser");
  });

  it("takes rates by currency for data: another currency is no renamed field", async () => {
    const [latest] = shapes.filter(({ provider, call }) => provider === "frankfurter" && call === "latest");
    if (!latest) throw new Error("no shape of Frankfurter");
    const of = async (rates: object) =>
      (await classOf(latest, { body: JSON.stringify({ amount: 1, base: "USD", date: "2026-05-01", rates }) }))?.class;
    expect([await of({ KRW: 1400.5 }), await of({ KRW: "1400.5" }), await of([1400.5])]).toEqual([
      "ok",
      "shape",
      "shape",
    ]);
  });

  it("counts the rows of another type, and leaves single odd ones alone", async () => {
    const answer = answerOf(fdic) as { data: { data: { CERT: unknown } }[] };
    const rows = Array.from({ length: 20 }, () => structuredClone(answer.data[0]));
    for (const row of rows.slice(0, 6)) if (row) row.data.CERT = [];
    const differences = (await classOf(fdic, { body: JSON.stringify({ ...answer, data: rows }) }))?.differences;
    expect(differences).toEqual([{ path: "data[].data.CERT", was: "number", now: "list", count: 6, of: 20 }]);
    for (const row of rows.slice(1)) if (row) row.data.CERT = 1;
    expect((await classOf(fdic, { body: JSON.stringify({ ...answer, data: rows }) }))?.class).toBe("ok");
  });
});

describe("a null where a fact was", () => {
  const shapeAt = (provider: string, call: string): CallShape => {
    const found = shapes.find((one) => one.provider === provider && one.call === call);
    if (!found) throw new Error(`no shape of ${provider} ${call}`);
    return found;
  };
  /** An answer of as many rows as are wanted, in which a field of each is null. */
  function withNull(shape: CallShape, path: string, rows = 1): string {
    const [list = "", ...inner] = path.split("[].");
    const names = inner.join("").split(".");
    const answer = answerOf(shape) as Record<string, unknown>;
    const top = list === "" && inner.length > 0 ? (answer as unknown as unknown[]) : (answer[list] as unknown[]);
    const set = (object: Record<string, unknown>, [name = "", ...rest]: string[]): void =>
      rest.length === 0
        ? void Object.assign(object, { [name]: null })
        : set(object[name] as Record<string, unknown>, rest);
    if (inner.length === 0) return JSON.stringify({ ...answer, [path]: null });
    const filled = Array.from({ length: rows }, () => structuredClone(top[0]) as Record<string, unknown>);
    for (const row of filled) set(row, names);
    return JSON.stringify(list === "" ? filled : { ...answer, [list]: filled });
  }

  it.each([
    ["coinbase", "ticker", "ask"],
    ["fdic", "institutions", "data[].data.ZIP"],
    ["defillama", "chains", "[].gecko_id"],
  ])("was ok at %s %s, which was recorded once: it is shape", async (provider, call, path) => {
    const shape = shapeAt(provider, call);
    expect(shape.fields.get(path)).toMatchObject({ present: 1, read: true });
    expect(await classOf(shape, { body: withNull(shape, path) })).toMatchObject({
      class: "shape",
      differences: [{ path, now: "null", count: 1, of: 1 }],
    });
  });

  it("was ok in every row of a field that was null before, but rarely: it is shape where chance cannot be why", async () => {
    const shape = shapeAt("recherche-entreprises", "search");
    const path = "results[].activite_principale";
    const { present, nulls = 0 } = shape.fields.get(path) ?? {};
    expect(nulls).toBeGreaterThan(0);
    expect(nulls).toBeLessThan(present as number);
    const of = async (rows: number) => (await classOf(shape, { body: withNull(shape, path, rows) }))?.class;
    expect([await of(1), await of(25)]).toEqual(["ok", "shape"]);
  });
});

describe("the generated shapes", () => {
  const text = readFileSync(pathFromRoot("src/drift/shapes.ts"), "utf8");

  it("are less than 200 kB, of more than fifty providers", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(200_000);
    expect(new Set(shapes.map(({ provider }) => provider)).size).toBeGreaterThan(50);
  });

  it("hold names, types, counts and words, and no values", () => {
    for (const { fields } of SHAPES)
      for (const line of fields.split("\n")) {
        const [path, letters, share = "", ...marks] = line.split("\t");
        if (path === "~" || line === "") continue;
        expect(`${letters}`).toMatch(/^[sfdnboaz]+$/);
        expect(share).toMatch(/^\d+\/\d+$/);
        for (const mark of marks)
          expect(mark).toMatch(/^(?:!|z\d+|#\d+|=[A-Za-z_-]{1,24}(?:\|[A-Za-z_-]{1,24}){1,5})$/);
      }
  });
});
