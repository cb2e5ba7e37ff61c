import express5 from "express";
import { describe, expect, test } from "vitest";
import { express } from "../../src/adapters/express.js";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { type Brand, createHandler } from "../../src/index.js";
import { listen, type Reply } from "../support/transports.js";

const DOCUMENTS = [
  ...["/openapi.json", "/api/openapi.json", "/api/openapi.json?all=1", "/llms.txt", "/llms-full.txt", "/api/directory"],
  ...["/.well-known/x402", "/.well-known/api-catalog", "/api/docs", "/api/search/endpoints?q=unit"],
];
const STRANGER = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-prefix": "/theirs" };

async function ask(brand: Partial<Brand>, headers: Record<string, string>): Promise<[string, Reply][]> {
  const handle = createHandler({
    capabilities: [convertUnit],
    payment: false,
    brand: { name: "Shop", slug: "svc", ...brand },
  });
  const server = await listen(express5().use(express(handle, { trustProxyHops: 1 })));
  try {
    const replies: [string, Reply][] = [];
    for (const target of DOCUMENTS) replies.push([target, await server.send({ method: "GET", target, headers })]);
    return replies;
  } finally {
    await server.close();
    await handle.close();
  }
}

const header = ({ headers }: Reply, name: string) => headers.get(name) ?? "";

describe("a shared cache keeps no document with an address that a stranger chose", () => {
  test.each([
    ["behind a proxy that passes X-Forwarded-Host on", STRANGER],
    ["for a request that comes without", {}],
  ])("%s", async (_, headers) => {
    for (const [target, reply] of await ask({}, headers)) {
      if (reply.status === 404) continue;
      const text = `${reply.body.toString("utf8")} ${header(reply, "link")}`;
      const host = "x-forwarded-host" in headers ? "evil.example" : "127.0.0.1";
      if (!text.includes(host) && !text.includes("/theirs")) continue;
      expect(header(reply, "cache-control"), target).toMatch(/^private\b/);
      expect(header(reply, "vary"), target).toContain("x-forwarded-host, x-forwarded-proto, x-forwarded-prefix");
    }
  });

  test("and keeps those that have the host's own", async () => {
    let kept = 0;
    for (const [target, reply] of await ask({ baseUrl: "https://api.example.com" }, STRANGER)) {
      expect(reply.body.toString("utf8"), target).not.toContain("evil.example");
      expect(header(reply, "link"), target).not.toContain("/theirs");
      if (reply.status === 200 && header(reply, "cache-control") === "public, max-age=60") kept++;
    }
    expect(kept).toBeGreaterThan(4);
  });
});
