/** The documentation page as its host has it: brand, paths, policy, and what it costs to have. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { capabilities } from "../../src/capabilities/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { rows } from "../../src/capability/output.js";
import type { Reference } from "../../src/docs/reference.js";
import { HOSTILE, openHost } from "../support/docs-page.js";

const get = (handle: ReturnType<typeof openHost>, path: string, init: RequestInit = {}, info = {}) =>
  handle(new Request(`https://api.acme.example${path}`, init), info);
const PARTS = ["/", "/api/docs", "/api/docs/app.js", "/api/docs/style.css"];

describe("the documentation page", () => {
  test("says nothing of whose software it is", async () => {
    const handle = openHost();
    for (const path of PARTS) {
      const response = await get(handle, path);
      expect(response.status, path).toBe(200);
      expect(`${await response.text()} ${JSON.stringify([...response.headers])}`, path).not.toMatch(/coinslot|x-svc/i);
    }
  });

  test("loads and runs nothing but its own, and goes into no frame", async () => {
    const response = await get(openHost(), "/");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    const html = await response.text();
    expect([...html.matchAll(/(?:src|href)="(https?:[^"]*)"/g)]).toEqual([]);
    expect(html).not.toMatch(/ on\w+=| style=/);
  });

  test("lets a brand's icon come from where it is", async () => {
    const brand = { name: "Acme", slug: "acme", iconUrl: "https://cdn.acme.example/icon.png" };
    const response = await get(openHost({ brand }), "/");
    expect(response.headers.get("content-security-policy")).toContain("blob: https://cdn.acme.example;");
  });

  test("takes a hostile brand for text", async () => {
    const brand = {
      name: HOSTILE,
      slug: "acme",
      description: HOSTILE,
      contact: { name: HOSTILE, url: `https://acme.example/${HOSTILE}` },
    };
    const html = await (await get(openHost({ brand }), "/")).text();
    expect(html).not.toContain("<img src=x");
    expect(html.match(/<script/g)).toHaveLength(2);
    const script = { ...brand, contact: { url: "javascript:alert(1)" } };
    expect(() => openHost({ brand: script })).toThrow("brand.contact.url");
  });

  test("finds its parts behind a proxy that cuts off a prefix, and at a base path of the host's own", async () => {
    const staged = await (await get(openHost(), "/api/docs", {}, { prefix: "/prod" })).text();
    expect(staged).toContain('src="/prod/api/docs/app.js"');
    const rooted = openHost({ basePath: "/" });
    expect(await (await get(rooted, "/")).text()).toContain('src="/docs/app.js"');
    expect((await get(rooted, "/docs/app.js")).headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  test("is not sent again to whom it is known", async () => {
    const handle = openHost();
    const etag = (await get(handle, "/api/docs/app.js")).headers.get("etag") ?? "";
    expect((await get(handle, "/api/docs/app.js", { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("leaves an app its own front page, and is gone where the host wants none", async () => {
    const handle = openHost();
    expect([handle.owns("/"), handle.rootPaths.includes("/"), handle.owns("/api/docs")]).toEqual([false, false, true]);
    expect((await get(handle, "/api/directory")).headers.get("link")).toContain('</api/docs>; rel="service-doc"');
    const without = openHost({ docs: false });
    for (const path of PARTS) expect((await get(without, path)).status, path).toBe(404);
    expect((await get(without, "/api/directory")).headers.get("link")).not.toContain("service-doc");
  });

  test("stays small: the first load of the whole catalogue, and a page after it", async () => {
    const handle = openHost({ capabilities });
    const sizeOf = async (path: string) => gzipSync(await (await get(handle, path)).text()).length;
    const first = await Promise.all([...PARTS.slice(1), "/api/favicon.svg"].map(sizeOf));
    expect(first.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
    for (const id of ["barcode.generate", "country.lookup", "ai.chat"])
      expect(await sizeOf(`/api/docs/endpoint.json?id=${id}`), id).toBeLessThan(8000);
  });

  test("has a document of every endpoint, and of no other", async () => {
    const handle = openHost();
    const ask = async (id: string) => (await get(handle, `/api/docs/endpoint.json?id=${id}`)).json();
    const { answer, errors, source, ...rest } = (await ask("country.lookup")) as Reference;
    expect(rest).toMatchObject({ id: "country.lookup", example: { alpha2: "FI" }, timeoutSeconds: 30 });
    expect(answer).toMatchObject({ types: ["application/json"], envelope: true });
    expect(answer.example).toMatchObject({ json: { items: [{ capital: ["Helsinki"] }] } });
    expect(errors.map(({ status }) => status)).toEqual([400, 402, 404, 405, 410, 429, 500, 502]);
    expect(errors[0]?.codes).toContain("INVALID_INPUT");
    expect(errors[0]?.codes).not.toContain("QUOTA_EXCEEDED");
    expect(source.license).toBe("ODbL-1.0");
    const sold = openHost({ capabilities });
    const metar = (await (await get(sold, "/api/docs/endpoint.json?id=aviation.metar")).json()) as Reference;
    expect(metar.answer.example).toMatchObject({
      input: { ids: "KCDW,KEWR" },
      json: { total: 2, source: metar.source },
    });
    expect(await ask("field.unknown")).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("computes an example once, and never of an endpoint that may ask somebody or change something", async () => {
    let runs = 0;
    const own = (id: string, more: object) =>
      defineCapability({
        ...{ id, summary: "Counts.", price: "0.001", example: {}, input: () => z.strictObject({}) },
        source: { provider: "Acme", url: "https://acme.example", license: "CC0" },
        output: rows(z.object({ runs: z.int() })),
        run: () => ({ items: [{ runs: ++runs }], total: 1 }),
        ...more,
      });
    const handle = openHost({
      capabilities: [
        own("own.online", {}),
        own("own.pure", { offline: true }),
        own("own.keyed", { offline: true, requires: ["K"] }),
      ],
    });
    for (const id of ["own.online", "own.keyed", "own.pure", "own.pure"])
      await get(handle, `/api/docs/endpoint.json?id=${id}`);
    expect(runs).toBe(1);
  });
});
