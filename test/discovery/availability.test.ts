/** What a host that lacks keys, packages or wallets says of the endpoints that it cannot sell. */
import { describe, expect, it } from "vitest";
import { capabilities } from "../../src/capabilities/index.js";
import { createSearch } from "../../src/discovery/search.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { bodyOf } from "../support/body.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { serviceOf } from "../support/service.js";
import { NETWORK } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";
import { samples } from "./samples.js";

const secrets: Record<string, string> = {};
const bare = createHandler({
  capabilities,
  payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
  secrets,
  fetch: fakeFacilitator().fetch,
  logger: silent,
});
const get = (path: string, method = "GET") => bare(new Request(`https://bare.example${path}`, { method }));
const text = async (path: string) => (await get(path)).text();
const read = async <T>(path: string) => (await bodyOf(await get(path))) as T;

interface Found {
  id: string;
  path: string;
  score: number;
  available?: boolean;
  reason?: string;
  missing?: string[];
}
const entries = async () => (await read<{ endpoints: Found[] }>("/api/directory")).endpoints;
/** `ai.chat` has a second address, for clients of OpenAI's API. */
const idsOf = ({ paths }: { paths: object }) =>
  [
    ...new Set(
      Object.values(paths as Record<string, Record<string, Record<string, string>>>)
        .flatMap(Object.values)
        .flatMap((operation) => operation["x-svc-id"] ?? []),
    ),
  ].sort();
/** The truth: what a bare probe is asked money for. */
const sold: string[] = [];
for (const { id, path, method } of capabilities) if ((await get(path, method)).status === 402) sold.push(id);
sold.sort();
const unsold = capabilities.map(({ id }) => id).filter((id) => !sold.includes(id));

describe("an endpoint that cannot be sold here", () => {
  it("is one of many, of each kind", () => {
    expect(unsold).toEqual(expect.arrayContaining(["ai.chat", "store.kv-put"]));
    expect(sold.length).toBeGreaterThan(60);
  });

  it("is left out of OpenAPI, unless all is asked for", async () => {
    expect(idsOf(await read("/api/openapi.json"))).toEqual(sold);
    expect(idsOf(await read("/openapi.json"))).toEqual(sold);
    expect(idsOf(bare.openapi())).toEqual(sold);
    const everything = capabilities.map(({ id }) => id).sort();
    expect(idsOf(await read("/api/openapi.json?all=1"))).toEqual(everything);
    expect(idsOf(bare.openapi({ all: true }))).toEqual(everything);
    // Nor is anything told that only it would do.
    const { tags, webhooks } = await read<{ tags: { name: string }[]; webhooks?: object }>("/api/openapi.json");
    expect(tags.map(({ name }) => name)).not.toContain("store");
    expect(Object.keys(webhooks ?? {}).sort()).toEqual(["job.cancelled", "job.done", "job.failed"]);
    expect(idsOf(await read("/api/openapi.json?group=store"))).toEqual([]);
    expect(idsOf(await read("/api/openapi.json?group=store&all=1"))).toContain("store.kv-put");
    expect((await get("/api/openapi.json?group=nonsense")).status).toBe(400);
  });

  it("is left out of what crawlers and models read at well-known places", async () => {
    const { resources } = await read<{ resources: string[] }>("/.well-known/x402");
    expect(resources.map((url) => new URL(url).pathname.replace("/api/", "").replace("/", ".")).sort()).toEqual(sold);
    expect((await read<{ resources: string[] }>("/api/.well-known/x402?all=1")).resources).toHaveLength(
      capabilities.length,
    );
    const linked = await text("/.well-known/api-catalog");
    expect(linked).toContain("group=convert");
    expect(linked).not.toContain("group=store");
    for (const path of ["/llms.txt", "/api/llms-full.txt"]) {
      expect((await text(path)).match(/^(?:- \[|### )[a-z0-9-]+\.[a-z0-9-]+/gm)).toHaveLength(sold.length);
      const whole = await text(`${path}?all=1`);
      expect(whole.match(/^(?:- \[|### )[a-z0-9-]+\.[a-z0-9-]+/gm)).toHaveLength(capabilities.length);
      expect(whole).toContain("not available: This service keeps nothing for wallets");
    }
  });

  it("comes last in the directory, with the reason and without the names of keys", async () => {
    const told = await entries();
    expect(told.map(({ available }) => available)).toEqual([...sold.map(() => true), ...unsold.map(() => false)]);
    expect(told.filter(({ available }) => available).map(({ id }) => id)).toEqual(
      capabilities.map(({ id }) => id).filter((id) => sold.includes(id)),
    );
    for (const { available, reason, missing } of told) {
      expect(missing).toBeUndefined();
      expect(reason === undefined).toBe(available);
    }
    expect(bare.directory().endpoints.at(-1)).toMatchObject({ available: false, missing: expect.any(Array) });
  });

  it("comes last in a search, however well it fits, and the score says so", async () => {
    const { results } = await read<{ results: Found[] }>("/api/search/endpoints?q=summarize%20a%20web%20page&limit=50");
    const first = results.findIndex(({ available }) => available === false);
    expect(first).toBeGreaterThan(0);
    for (const [i, { id, available, reason }] of results.entries()) {
      expect([id, available, typeof reason]).toEqual([
        id,
        ...(i < first ? [undefined, "undefined"] : [false, "string"]),
      ]);
      expect([id, sold.includes(id)]).toEqual([id, i < first]);
    }
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const all = createSearch(serviceOf({ capabilities: samples, missing: ({ requires }) => [...requires] }));
    const ids = (await all("weather stations or forecast")).results.map(({ id }) => id);
    expect(ids).toEqual(["weather.stations", "weather.day-forecast"]);
  });

  it("is sold, and listed, from the moment that its key is there", async () => {
    const { id, path, requires } = capabilities.find(({ wallet, requires }) => !wallet && requires.length === 1) ?? {};
    if (!id || !path || !requires?.[0]) throw new Error("none needs a key");
    expect(idsOf(await read("/openapi.json"))).not.toContain(id);
    secrets[requires[0]] = "set";
    try {
      expect(idsOf(await read("/openapi.json"))).toContain(id);
      expect(await text("/llms.txt")).toContain(`[${id}]`);
    } finally {
      delete secrets[requires[0]];
    }
  });
});
