import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openHop } from "../../../src/upstream/outbound/hop.js";
import { fetchOutbound } from "../../../src/upstream/outbound/outbound.js";
import { outboundContext, recordingFetch, type Script, scriptedLookup } from "../../support/outbound.js";

const page = () => new Response("<p>hello</p>", { headers: { "content-type": "text/html; charset=utf-8" } });
const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const options = { maxBytes: 1000 };

/** A guarded fetch over an injected fetch and a scripted resolver. */
function start(respond: (url: string, turn: number) => Response | Promise<Response>, script?: Script) {
  const { fetch, seen } = recordingFetch(respond);
  const { lookup, asked } = scriptedLookup(script);
  return { ctx: outboundContext({ fetch, outbound: { lookup } }), seen, asked };
}

const urlsOf = (seen: { url: string }[]) => seen.map(({ url }) => url);

afterEach(() => {
  vi.useRealTimers();
});

describe("fetchOutbound", () => {
  it("gives the bytes, their type and where they came from", async () => {
    const { ctx, seen } = start(page);
    expect(await fetchOutbound(ctx, "https://example.com/a#b", options)).toEqual({
      status: 200,
      finalUrl: "https://example.com/a#b",
      contentType: "text/html; charset=utf-8",
      bytes: new Uint8Array(Buffer.from("<p>hello</p>")),
    });
    expect(seen).toHaveLength(1);
  });

  it("gives an empty body and an empty type where there is neither", async () => {
    const { ctx } = start(() => new Response(null, { status: 204 }));
    expect(await fetchOutbound(ctx, "https://example.com/", options)).toMatchObject({
      contentType: "",
      bytes: new Uint8Array(0),
    });
  });

  it("SSRF-11 sends User-Agent and Accept and nothing else", async () => {
    const { ctx, seen } = start((_, turn) => (turn === 1 ? redirect("https://other.example/") : page()));
    await fetchOutbound(ctx, "https://example.com/", { ...options, accept: "text/html" });
    for (const { init } of seen) {
      expect(init).toEqual({
        redirect: "manual",
        headers: { "user-agent": expect.stringMatching(/\S/), accept: "text/html" },
        signal: expect.any(AbortSignal),
        // Pins the sockets of a fetch that obeys it.
        dispatcher: expect.anything(),
      });
    }
    expect(seen).toHaveLength(2);
  });

  it.each([300, 304, 305, 400, 404, 500])("takes status %i for no answer", async (status) => {
    const { ctx, seen } = start(() => new Response(null, { status, headers: { location: "http://10.0.0.1/" } }));
    await expect(fetchOutbound(ctx, "https://example.com/", { ...options, field: "logo" })).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      message: `logo: the server answered with status ${status}`,
    });
    expect(seen).toHaveLength(1);
  });
});

describe("SSRF-2 names", () => {
  it("asks once per hop, so that a second answer changes nothing", async () => {
    const { ctx, seen, asked } = start(page, { "rebind.example": [["93.184.215.14"], ["127.0.0.1"]] });
    await fetchOutbound(ctx, "http://rebind.example/", options);
    expect(asked).toEqual(["rebind.example"]);
    expect(seen).toHaveLength(1);
  });

  it("judges the same name anew when a redirect comes back to it", async () => {
    const { ctx, seen } = start(() => redirect("/again"), { "rebind.example": [["93.184.215.14"], ["127.0.0.1"]] });
    await expect(fetchOutbound(ctx, "http://rebind.example/", options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(seen).toHaveLength(1);
  });

  it("fetches nothing when one of several answers is private", async () => {
    const { ctx, seen } = start(page, { "mixed.example": ["93.184.215.14", "10.0.0.5"] });
    await expect(fetchOutbound(ctx, "http://mixed.example/", options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(seen).toEqual([]);
  });
});

describe("SSRF-3 redirects", () => {
  it.each([301, 302, 303, 307, 308])("follows %i, relative or absolute", async (status) => {
    const { ctx, seen } = start((_, turn) =>
      turn === 1 ? redirect("../b?c", status) : turn === 2 ? redirect("//other.example/d", status) : page(),
    );
    const { finalUrl } = await fetchOutbound(ctx, "https://example.com/x/a", options);
    expect(finalUrl).toBe("https://other.example/d");
    expect(urlsOf(seen)).toEqual(["https://example.com/x/a", "https://example.com/b?c", "https://other.example/d"]);
  });

  it("follows five and no sixth", async () => {
    const { ctx, seen } = start((_, turn) => (turn <= 5 ? redirect(`/${turn}`) : page()));
    expect((await fetchOutbound(ctx, "https://example.com/", options)).finalUrl).toBe("https://example.com/5");
    expect(seen).toHaveLength(6);

    const endless = start((_, turn) => redirect(`/${turn}`));
    await expect(fetchOutbound(endless.ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      message: "url: redirects more than 5 times",
    });
    expect(endless.seen).toHaveLength(6);
  });

  it("leaves a circle at once", async () => {
    const { ctx, seen } = start((url) => redirect(url.endsWith("/a") ? "/b" : "/a"));
    await expect(fetchOutbound(ctx, "https://example.com/a", options)).rejects.toMatchObject({
      message: "url: redirects in a circle",
    });
    expect(seen).toHaveLength(2);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:80/",
    "http://localhost/",
    "http://[::1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "//169.254.169.254/",
    "http://2130706433/",
    "http://inner.example/",
    "http://example.com:8080/",
    "http://user:secret@example.com/",
    "gopher://127.0.0.1:6379/_INFO",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "\\\\169.254.169.254\\",
    "http://",
  ])("goes no further at %s", async (location) => {
    const script = { "example.com": ["93.184.215.14"], "inner.example": ["10.0.0.7"] };
    const { ctx, seen } = start(() => redirect(location), script);
    await expect(fetchOutbound(ctx, "https://example.com/", { ...options, field: "page" })).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      issues: [{ path: "page" }],
    });
    expect(seen).toHaveLength(1);
  });

  it("goes down to http only where http is accepted", async () => {
    const down = () => start((_, turn) => (turn === 1 ? redirect("http://example.com/") : page()));
    const strict = down();
    await expect(
      fetchOutbound(strict.ctx, "https://example.com/", { ...options, httpsOnly: true }),
    ).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(strict.seen).toHaveLength(1);
    expect((await fetchOutbound(down().ctx, "https://example.com/", options)).finalUrl).toBe("http://example.com/");
  });

  it("reads a Location in raw UTF-8 as its sender meant it", async () => {
    const location = Buffer.from("/größe/А", "utf8").toString("latin1");
    const { ctx, seen } = start((_, turn) => (turn === 1 ? redirect(location) : page()));
    await fetchOutbound(ctx, "https://example.com/", options);
    expect(seen[1]?.url).toBe("https://example.com/gr%C3%B6%C3%9Fe/%D0%90");
  });

  it("does not take an answer from an injected fetch that followed a redirect by itself", async () => {
    const { ctx } = start(() => Object.defineProperty(page(), "redirected", { value: true }));
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("SSRF-6 a redirect to the service's own name ends there", async () => {
    const { fetch, seen } = recordingFetch(() => redirect("https://api.example/api/ai/summarize"));
    const ctx = outboundContext({ fetch, outbound: { ...scriptedLookup(), denyHosts: ["api.example"] } });
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(seen).toHaveLength(1);
  });
});

describe("SSRF-7 size", () => {
  it("accepts a body of exactly the limit and refuses one byte more", async () => {
    const bodyOf = (length: number) => start(() => new Response(new Uint8Array(length).fill(7)));
    const { bytes } = await fetchOutbound(bodyOf(1000).ctx, "https://example.com/", options);
    expect(bytes).toEqual(new Uint8Array(1000).fill(7));
    await expect(
      fetchOutbound(bodyOf(1001).ctx, "https://example.com/", { ...options, field: "logo" }),
    ).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "logo", message: "is larger than 1000 bytes" }],
    });
  });

  it("puts a body that comes in many pieces together", async () => {
    const text = Array.from({ length: 40_000 }, (_, i) => i).join();
    const body = ReadableStream.from(text.match(/.{1,7}/gs)?.map((piece) => Buffer.from(piece)) ?? []);
    const { ctx } = start(() => new Response(body));
    const { bytes } = await fetchOutbound(ctx, "https://example.com/", { maxBytes: 1_000_000 });
    expect(Buffer.from(bytes).toString()).toBe(text);
  });

  it("stops reading an endless body, and gives it up", async () => {
    let pulled = 0;
    const cancel = vi.fn();
    const body = new ReadableStream({
      pull(controller) {
        pulled += 100;
        controller.enqueue(new Uint8Array(100));
      },
      cancel,
    });
    const { ctx } = start(() => new Response(body));
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
    });
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
    // What the streams between hold in their buffers comes on top of the limit.
    expect(pulled).toBeLessThan(100_000);
  });

  it("does not read a body that says it is too long", async () => {
    const cancel = vi.fn();
    const response = () => new Response(new ReadableStream({ cancel }), { headers: { "content-length": "1001" } });
    const { ctx } = start(response);
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
    });
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it.each([302, 404])("gives the body of a %i up unread", async (status) => {
    const cancel = vi.fn();
    const headers = { location: "/next" };
    const { ctx } = start((_, turn) =>
      turn === 1 ? new Response(new ReadableStream({ cancel }), { status, headers }) : page(),
    );
    await fetchOutbound(ctx, "https://example.com/", options).catch(() => {});
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it("SSRF-9 refuses four content codings, decoded by the injected fetch or not", async () => {
    const withCodings = (codings: string) =>
      start(() => new Response("x", { headers: { "content-encoding": codings } })).ctx;
    await expect(
      fetchOutbound(withCodings("gzip, gzip, br, gzip"), "https://example.com/", options),
    ).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(await fetchOutbound(withCodings("gzip, gzip, br"), "https://example.com/", options)).toBeDefined();
  });
});

describe("SSRF-8 time", () => {
  it("gives up a server that sends no headers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const close = vi.fn();
    let arrive = (_hop: never) => {};
    const request = { url: new URL("https://example.com/"), headers: {}, signal: new AbortController().signal };
    const addresses: [{ address: string; family: number }] = [{ address: "93.184.215.14", family: 4 }];
    const opening = openHop(() => new Promise((resolve) => (arrive = resolve)), { ...request, addresses });
    opening.catch(() => {});
    await vi.advanceTimersByTimeAsync(8_000);
    await expect(opening).rejects.toThrow();
    arrive({ close } as never);
    await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  it.each(["headers", "a name", "the body"])("ends with the call while it waits for %s", async (stage) => {
    const never = new Promise<never>(() => {});
    const cancel = vi.fn();
    const leave = new AbortController();
    const waits = () => setTimeout(() => leave.abort(new DOMException("late", "TimeoutError")), 5);
    const ctx = outboundContext({
      signal: leave.signal,
      fetch: async () => {
        waits();
        return stage === "headers" ? never : new Response(new ReadableStream({ cancel }));
      },
      outbound: {
        lookup: async () => {
          waits();
          return stage === "a name" ? never : [{ address: "93.184.215.14", family: 4 }];
        },
      },
    });
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
      message: "Fetching url did not finish in time.",
    });
    if (stage === "the body") await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it("a drip of bytes does not extend it", async () => {
    const leave = new AbortController();
    let drops = 0;
    const cancel = vi.fn();
    const drip = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (++drops === 20) leave.abort(new DOMException("late", "TimeoutError"));
        controller.enqueue(new Uint8Array(1));
      },
      cancel,
    });
    const { fetch } = recordingFetch(() => new Response(drip));
    const ctx = outboundContext({ fetch, signal: leave.signal, outbound: scriptedLookup() });
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT",
    });
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it("does nothing for a call that is over already", async () => {
    const { fetch, seen } = recordingFetch(page);
    const ctx = outboundContext({ fetch, signal: AbortSignal.abort(), outbound: scriptedLookup() });
    await expect(fetchOutbound(ctx, "https://example.com/", options)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(seen).toEqual([]);
  });
});

describe("SSRF-12 answers", () => {
  it("are the same however a connection failed", async () => {
    const failures = ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "CERT_HAS_EXPIRED", "UND_ERR_HEADERS_TIMEOUT"];
    const answers = await Promise.all(
      failures.map(async (code) => {
        const { ctx } = start(() => Promise.reject(Object.assign(new TypeError("fetch failed"), { code })));
        return fetchOutbound(ctx, "https://example.com/", options).catch(({ code, message }) => ({ code, message }));
      }),
    );
    for (const answer of answers)
      expect(answer).toEqual({ code: "UPSTREAM_ERROR", message: "url: could not be fetched" });
  });

  it("are the same for a private name and one that does not exist", async () => {
    const answerFor = (script: Script) =>
      fetchOutbound(start(page, script).ctx, "https://site.example/", options).catch(({ code, message }) => ({
        code,
        message,
      }));
    expect(await answerFor({ "site.example": ["10.0.0.5"] })).toEqual(await answerFor({}));
  });

  it("keep the reason for the host's log", async () => {
    const { ctx } = start(() => Promise.reject(new Error("self-signed certificate")));
    const info = vi.spyOn(ctx.logger, "info");
    await fetchOutbound(ctx, "https://example.com/", options).catch(() => {});
    expect(info).toHaveBeenCalledWith(
      { error: expect.objectContaining({ message: "self-signed certificate" }) },
      expect.any(String),
    );
    info.mockRestore();
  });
});

interface ListedUrl {
  url: string;
  group?: string;
  why: string;
  expect: "refuse" | "never-private" | "bounded" | "fetch";
  dns?: Record<string, string[]>;
  dnsSequence?: Record<string, string[][]>;
  responds?: { status?: number; headers?: Record<string, string>; body?: string };
  hops?: number;
  finalLocation?: string;
}

/** Larger lists of attacks and of addresses that only look like some, where a checkout has them beside it. */
const lists = ["ssrf-urls.json", "ssrf-allow.json"]
  .map((name) => new URL(`../../../shared/attacks/${name}`, import.meta.url))
  .filter((file) => existsSync(file));
const listed: ListedUrl[] = lists.flatMap((file) => JSON.parse(readFileSync(file, "utf8")));

function visit(entry: ListedUrl) {
  const answer = (turn: number) => {
    if (entry.hops) return redirect(turn <= entry.hops ? `${entry.url}?${turn}` : (entry.finalLocation ?? ""));
    if (turn > 1 || !entry.responds) return page();
    const { status = 200, headers = {}, body } = entry.responds;
    return new Response(body ?? null, { status, headers });
  };
  return start((_, turn) => answer(turn), entry.dns ?? entry.dnsSequence);
}

// The hostile bodies need sockets: pinned.test.ts has each of them.
for (const entry of listed.filter(({ group }) => group !== "hostile-body")) {
  it(`SSRF-1 ${entry.expect}: ${JSON.stringify(entry.url)} (${entry.why})`, async () => {
    const { ctx, seen, asked } = visit(entry);
    const error = await fetchOutbound(ctx, entry.url, { maxBytes: 1_000_000 }).then(
      () => undefined,
      (reason) => reason,
    );
    if (entry.expect === "fetch") {
      expect(seen).toHaveLength(1);
      return;
    }
    const publicHops = entry.expect === "never-private" ? 1 : entry.group === "redirect" ? (entry.hops ?? 0) + 1 : 0;
    expect(seen.length).toBeLessThanOrEqual(publicHops);
    // One question per hop is the whole defence against a name that answers differently each time.
    expect(asked.length).toBeLessThanOrEqual(seen.length + 1);
    if (entry.expect === "refuse" && !entry.why.includes("browser only"))
      expect([400, ...(["dns", "redirect"].includes(entry.group ?? "") ? [502] : [])]).toContain(error?.status);
  });
}
