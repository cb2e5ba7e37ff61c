/** The fetch of a check: what it keeps, how often it asks, and what it makes of redirects and broken transfers. */
import { expect, it } from "vitest";
import { observe } from "../../src/drift/observe.js";

const ADDRESS = "https://upstream.example/a";

it("asks a request that fails twice at most, and repeats its last failure afterwards", async () => {
  let asked = 0;
  const { fetch, take } = observe(async () => {
    asked++;
    return new Response(`busy ${asked}`, { status: 503, headers: { "retry-after": "1" } });
  });
  const texts = [];
  for (let call = 0; call < 4; call++) texts.push(await (await fetch(ADDRESS)).text());
  expect([asked, texts]).toEqual([2, ["busy 1", "busy 2", "busy 2", "busy 2"]]);
  expect(take().map(({ status }) => status)).toEqual([503]);
});

it("forgets a failure that another try mended", async () => {
  let asked = 0;
  const { fetch, take } = observe(async () => {
    if (asked++ === 0) throw new TypeError("fetch failed");
    return Response.json({ ok: true });
  });
  await expect(fetch(ADDRESS)).rejects.toThrow("fetch failed");
  await (await fetch(ADDRESS)).json();
  expect(take()).toMatchObject([{ status: 200, whole: true }]);
  expect(take()).toEqual([]);
});

it("asks an address as often as it is asked while it answers", async () => {
  let asked = 0;
  const { fetch } = observe(async () => Response.json(++asked));
  for (let call = 0; call < 5; call++) await (await fetch(ADDRESS)).text();
  expect(asked).toBe(5);
});

it("sees where a redirect led that could not be followed", async () => {
  const { fetch, take } = observe(async (input) => {
    if (String(input) !== ADDRESS) throw new TypeError("fetch failed");
    return new Response(null, { status: 302, headers: { location: "https://consent.example/" } });
  });
  await expect(fetch(ADDRESS)).rejects.toThrow("fetch failed");
  const [exchange] = take();
  expect([exchange?.status, exchange?.headers.get("location"), exchange?.failure]).toEqual([
    ...[302, "https://consent.example/", undefined],
  ]);
});

it("keeps that a body broke off, and hands the error on", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"a":'));
    },
    pull(controller) {
      controller.error(new TypeError("terminated"));
    },
  });
  const { fetch, take } = observe(async () => new Response(body));
  await expect((await fetch(ADDRESS)).text()).rejects.toThrow("terminated");
  expect(take()[0]?.failure).toBeInstanceOf(TypeError);
});

it("keeps only the beginning of what is large", async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(97);
  let left = 6;
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
  const { fetch, take } = observe(async () => new Response(body));
  expect((await (await fetch(ADDRESS)).arrayBuffer()).byteLength).toBe(6 * chunk.byteLength);
  const [exchange] = take();
  expect([exchange?.whole, exchange?.bytes.byteLength]).toEqual([false, 4 * chunk.byteLength]);
});
