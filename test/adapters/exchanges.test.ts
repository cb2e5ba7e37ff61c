/** One list of exchanges, through every way in. What a caller sees must not depend on where the host runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEcho, LONG_HEADER, PNG, type Seen } from "../support/echo-handler.js";
import { type Reply, TRANSPORTS, type Transport } from "../support/transports.js";

const json = (reply: Reply): Record<string, unknown> => JSON.parse(reply.body.toString("utf8"));
const seenBy = (reply: Reply) => json(reply) as unknown as Seen;
const bodyOf = (seen: Seen) => Buffer.from(seen.body, "base64").toString("utf8");
const JSON_TYPE = { "content-type": "application/json" };

describe.each(TRANSPORTS)("$name", (kind) => {
  const { basePath, address } = kind;
  const echo = createEcho(basePath);
  let transport: Transport;

  beforeAll(async () => {
    transport = await kind.open(echo);
  });
  afterAll(() => transport.close?.());

  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Uint8Array) =>
    transport.send({ method, target: basePath + path, headers, ...(body === undefined ? {} : { body }) });

  it("GET: path and query arrive as they were written", async () => {
    const reply = await send("GET", "/echo?text=a%20b%26c%3Dd%252Fe&n=1.5&zh=%E4%BD%A0%E5%A5%BD");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toContain("application/json");
    const { method, url } = seenBy(reply);
    const { pathname, searchParams } = new URL(url);
    expect({ method, pathname }).toEqual({ method: "GET", pathname: `${basePath}/echo` });
    expect([...searchParams]).toEqual([
      ["text", "a b&c=d%2Fe"],
      ["n", "1.5"],
      ["zh", "你好"],
    ]);
  });

  it("repeated query values all arrive, in order", async () => {
    const { url } = seenBy(await send("GET", "/echo?a=1&b=x&a=2"));
    expect(new URL(url).searchParams.getAll("a")).toEqual(kind.singleValues ? ["2"] : ["1", "2"]);
  });

  it("an empty value and a name without one stay", async () => {
    const { searchParams } = new URL(seenBy(await send("GET", "/echo?empty=&bare")).url);
    expect([...searchParams]).toEqual([
      ["empty", ""],
      ["bare", ""],
    ]);
  });

  it("POST JSON: the handler reads the value that was sent", async () => {
    const value = { text: "naïve 你好 😀", list: [1, 2.5, null, true], nested: { a: "b" } };
    const reply = await send("POST", "/json?trial=1", JSON_TYPE, JSON.stringify(value));
    expect(reply.status).toBe(200);
    expect(json(reply)).toEqual({ value });
  });

  it("POST: the body's length is the length that the headers state", async () => {
    const body = '{ "a" : 1,\n "b": "\\u00e9" }';
    const seen = seenBy(await send("POST", "/echo", { ...JSON_TYPE, "content-length": String(body.length) }, body));
    expect(JSON.parse(bodyOf(seen))).toEqual({ a: 1, b: "é" });
    const stated = seen.headers["content-length"];
    if (stated !== undefined) expect(Number(stated)).toBe(Buffer.from(seen.body, "base64").length);
  });

  it("POST of broken JSON is a 400", async () => {
    const reply = await send("POST", "/json", JSON_TYPE, '{"a":');
    expect(reply.status).toBe(400);
  });

  it("POST without a body, and with {}, reach the handler as such", async () => {
    expect(bodyOf(seenBy(await send("POST", "/echo", JSON_TYPE)))).toBe("");
    expect(bodyOf(seenBy(await send("POST", "/echo", JSON_TYPE, "{}")))).toBe("{}");
  });

  it("POST of bytes, text and a form arrive byte for byte", async () => {
    const bytes = await send("POST", "/echo", { "content-type": "application/octet-stream" }, PNG);
    expect(Buffer.from(seenBy(bytes).body, "base64").equals(PNG)).toBe(true);
    const text = await send("POST", "/echo", { "content-type": "text/plain; charset=utf-8" }, "züri\n");
    expect(bodyOf(seenBy(text))).toBe("züri\n");
    const form = "a=1&a=2&b=x+y%26z";
    const sent = await send("POST", "/echo", { "content-type": "application/x-www-form-urlencoded" }, form);
    expect(bodyOf(seenBy(sent))).toBe(form);
  });

  it("a binary answer arrives byte for byte", async () => {
    const reply = await send("GET", "/image.png");
    expect(reply.headers.get("content-type")).toBe("image/png");
    expect(reply.body.equals(PNG)).toBe(true);
  });

  it("402 with a long header", async () => {
    const reply = await send("GET", "/pay");
    expect(reply.status).toBe(402);
    // API Gateway and function URLs write their own status line.
    expect(reply.reason ?? "Payment Required").toBe("Payment Required");
    expect(reply.headers.get("payment-required")).toBe(LONG_HEADER);
    expect(json(reply)).toEqual({ error: "payment" });
  });

  it("cookies stay apart", async () => {
    const { headers } = await send("GET", "/cookies");
    const expected = ["a=1; Path=/", "b=2, or 3"];
    expect(headers.getSetCookie()).toEqual(kind.singleValues ? expected.slice(0, 1) : expected);
  });

  it("request headers arrive, cookies as one header", async () => {
    const { headers } = seenBy(
      await send("GET", "/echo", { "payment-signature": "eyJ4IjoxfQ==", cookie: "a=1; b=2", "x-svc-trial": "1" }),
    );
    expect(headers).toMatchObject({ "payment-signature": "eyJ4IjoxfQ==", cookie: "a=1; b=2", "x-svc-trial": "1" });
  });

  it("IN-18 405 carries Allow, HEAD has no body, OPTIONS is 204", async () => {
    const wrong = await send("DELETE", "/echo");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, POST"]);
    const head = await send("HEAD", "/echo");
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const options = await send("OPTIONS", "/echo", { origin: "https://example.com" });
    expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  });

  it.each(["//echo", "/%2Fecho", "/echo%2F", "/echo/%", "/echo/%zz", "/%00echo", "/echo;x", "/unknown"])(
    "IN-19 %s is never the endpoint",
    async (path) => {
      const reply = await send("GET", path);
      expect([400, 404]).toContain(reply.status);
    },
  );

  it.each(["/../../etc/passwd", "//", "/%2e%2e/%2e%2e/", "/a b".replace(" ", "%20"), "/echo%3Fa=1", "/echo%23"])(
    "IN-19 %s is no server error",
    async (path) => {
      const reply = await send("GET", path);
      expect(reply.status).toBeLessThan(500);
      expect(reply.status).not.toBe(200);
    },
  );

  it("IN-19 a backslash is a slash, as the URL standard reads it, or refused", async () => {
    const reply = await send("GET", "\\echo");
    if (![400, 404].includes(reply.status)) expect(new URL(seenBy(reply).url).pathname).toBe(`${basePath}/echo`);
  });

  it("IN-21 a query of 45 KB arrives whole", async () => {
    const text = encodeURIComponent("汉".repeat(5000));
    expect(text.length).toBe(45_000);
    const { searchParams } = new URL(seenBy(await send("GET", `/echo?text=${text}`)).url);
    expect(searchParams.get("text")).toBe("汉".repeat(5000));
  });

  it("TRI-2 TRI-13 the address is the connection's, whatever headers say", async () => {
    const forged = {
      "x-forwarded-for": "198.51.100.1, 198.51.100.2",
      forwarded: "for=198.51.100.3",
      "x-real-ip": "198.51.100.4",
      "cf-connecting-ip": "198.51.100.5",
      "true-client-ip": "198.51.100.6",
      "x-client-ip": "198.51.100.7",
    };
    expect(seenBy(await send("GET", "/echo")).clientAddress).toBe(address);
    expect(seenBy(await send("GET", "/echo", forged)).clientAddress).toBe(address);
  });

  it("a streamed answer arrives whole", async () => {
    const bytes = 600_000;
    const reply = await send("GET", `/stream?bytes=${bytes}`);
    expect(reply.body.length).toBe(bytes);
  });
});
