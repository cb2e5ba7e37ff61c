/** Free documents over the wire: an eighth of their text where a reader takes gzip. */
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { serve } from "../../src/adapters/node/index.js";
import { acceptsGzip } from "../../src/request/http/compressed.js";
import { openHost } from "../support/docs-page.js";

const handle = openHost();
const server = await serve(handle, { port: 0 });
afterAll(() => server.close());

/** The bytes as they come, which fetch would decode. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = request(server.url + path, { method, headers }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sent.on("error", reject).end();
  });
const GZIP = { "accept-encoding": "gzip, deflate, br" };

describe("a free document", () => {
  test("is compressed for readers who accept it, and the same text for all", async () => {
    // It tells the address of the service, which a proxy may forward.
    const vary = "accept-encoding, x-forwarded-host, x-forwarded-proto, x-forwarded-prefix";
    const plain = await ask("/api/openapi.json");
    expect(plain.headers).toMatchObject({ vary });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const coded = await ask("/api/openapi.json", GZIP);
    expect(coded.headers).toMatchObject({ vary, "content-encoding": "gzip" });
    expect(gunzipSync(coded.bytes).equals(plain.bytes)).toBe(true);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(coded.headers.etag).toBe(`W/${plain.headers.etag}`);
    const known = await ask("/api/openapi.json", { ...GZIP, "if-none-match": String(coded.headers.etag) });
    expect([known.status, known.bytes.length, known.headers.vary]).toEqual([304, 0, vary]);
    const head = await ask("/api/openapi.json", GZIP, "HEAD");
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test("stays plain where it is short, or where a platform encodes by itself", async () => {
    expect((await ask("/api/favicon.svg", GZIP)).headers["content-encoding"]).toBeUndefined();
    const inProcess = await handle(new Request("https://acme.example/api/openapi.json", { headers: GZIP }));
    expect(inProcess.headers.get("content-encoding")).toBeNull();
    expect(await inProcess.json()).toMatchObject({ openapi: "3.1.0" });
  });

  test.each([
    [null, false],
    ["identity", false],
    ["gzip;q=0, br", false],
    ["br;q=1.0, GZIP;q=0.8", true],
    ["x-gzip-like, *;q=0.1", false],
  ])("Accept-Encoding: %s takes gzip: %s", (header, takes) => {
    expect(acceptsGzip(header)).toBe(takes);
  });
});
