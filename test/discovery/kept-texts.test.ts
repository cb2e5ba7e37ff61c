/** Documents are written once, until something that they tell changes. */
import { expect, test, vi } from "vitest";
import { aiWebAnswer } from "../../src/capabilities/ai/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { NETWORK } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const PATHS = ["/api/directory", "/api/openapi.json", "/api/llms.txt", "/api/llms-full.txt"];
const HERE = "https://here.test";

function openHost() {
  const secrets: Record<string, string> = {};
  const handle = createHandler({
    capabilities: [convertUnit, aiWebAnswer],
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: "https://facilitator.test" }, rpc: false },
    fetch: async () => Response.error(),
    secrets,
  });
  const read = async (path: string, origin = HERE) => (await handle(new Request(origin + path))).text();
  return { handle, secrets, read };
}

test.each(PATHS)("%s is written once, and for each address of the service", async (path) => {
  const { handle, read } = openHost();
  const write = vi.spyOn(handle.catalogue, "priceOf");
  const first = await read(path);
  const written = write.mock.calls.length;
  expect(written).toBeGreaterThan(0);
  expect(await read(path)).toBe(first);
  expect(write).toHaveBeenCalledTimes(written);
  const prefixed = await handle(new Request(HERE + path), { prefix: "/shop" });
  expect(await prefixed.text()).toContain("/shop/api/");
});

test.each(PATHS)("%s tells what can be sold, and for how much, at each moment", async (path) => {
  const { handle, secrets, read } = openHost();
  const before = await read(path);
  const [, { missing = [] } = {}] = handle.directory().endpoints;
  for (const name of missing) secrets[name] = "now-known";
  const configured = await read(path);
  expect(configured).not.toBe(before);
  await handle.setPrice("convert.unit", "0.0777");
  const priced = await read(path);
  expect(priced).not.toBe(configured);
  expect(priced).toContain("0.0777");
});

test("the directory keeps nothing that callers choose", async () => {
  const { read } = openHost();
  const whole = await read("/api/directory");
  expect(await read("/api/directory?q=unit")).not.toBe(whole);
  expect(JSON.parse(await read("/api/directory?group=convert"))).toMatchObject({ total: 1 });
  expect(await read("/api/directory")).toBe(whole);
});
