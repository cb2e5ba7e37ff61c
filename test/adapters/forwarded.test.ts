import { describe, expect, it, vi } from "vitest";
import { createForwardedReader, type ProxyOptions } from "../../src/adapters/shared/forwarded.js";
import { silent } from "../../src/lib/logger.js";

const forwardedFor = "198.51.100.1, 198.51.100.2,198.51.100.3";

/** Reads one request with these headers; the connection comes from a proxy. */
function read(options: ProxyOptions, headers: Record<string, string | null>, connection = "::ffff:192.0.2.1") {
  return createForwardedReader(options)(connection, (name) => headers[name]);
}

describe("the caller's address", () => {
  const addressOf = (options: ProxyOptions, header: string | null, connection?: string) =>
    read(options, { "x-forwarded-for": header }, connection).clientAddress;

  it("TRI-2 believes no header by default: 1000 forged values are one caller", () => {
    const reader = createForwardedReader();
    const seen = new Set(
      Array.from(
        { length: 1000 },
        (_, index) => reader("192.0.2.1", () => `10.0.${index >> 8}.${index & 255}`).clientAddress,
      ),
    );
    expect([...seen]).toEqual(["192.0.2.1"]);
  });

  it.each([
    [1, "198.51.100.3"],
    [2, "198.51.100.2"],
    [3, "198.51.100.1"],
  ])("TRI-2 with %i hops counts from the right", (trustProxyHops, address) => {
    expect(addressOf({ trustProxyHops }, forwardedFor)).toBe(address);
  });

  it.each([null, "", "not an address", "198.51.100.1, ,", "1.2.3.4, unknown"])(
    "TRI-2 falls back to the connection where the header says %s",
    (header) => {
      expect(addressOf({ trustProxyHops: 1 }, header)).toBe("192.0.2.1");
    },
  );

  it("TRI-2 falls back to the connection where the header has fewer entries than hops", () => {
    expect(addressOf({ trustProxyHops: 4 }, forwardedFor)).toBe("192.0.2.1");
  });

  it("TRI-11 a connection without an address stays without one", () => {
    expect(createForwardedReader()(undefined, () => forwardedFor).clientAddress).toBeUndefined();
  });

  it.each([-1, 1.5, Number.NaN, true as unknown as number, "1" as unknown as number])(
    "refuses %s as a count",
    (hops) => {
      expect(() => createForwardedReader({ trustProxyHops: hops })).toThrow(TypeError);
    },
  );
});

describe("the URL that was asked for", () => {
  const headers = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "api.example.com:8443",
    "x-forwarded-prefix": "/shop/",
  };
  const target = { protocol: "https", host: "api.example.com:8443", prefix: "/shop" };

  it("is as the trusted proxies say, and nobody else's word counts", () => {
    expect(read({ trustProxyHops: 1 }, headers)).toMatchObject(target);
    expect(read({}, headers)).toEqual({ clientAddress: "192.0.2.1" });
    expect(read({ trustProxyHops: 0 }, headers)).toEqual({ clientAddress: "192.0.2.1" });
  });

  it("is the entry that many from the right, or the only one", () => {
    const lists = { "x-forwarded-proto": "http, https, http", "x-forwarded-host": "forged.example, a.example" };
    expect(read({ trustProxyHops: 2 }, lists)).toMatchObject({ protocol: "https", host: "forged.example" });
    expect(read({ trustProxyHops: 1 }, lists)).toMatchObject({ protocol: "http", host: "a.example" });
    expect(read({ trustProxyHops: 3 }, headers)).toMatchObject(target);
  });

  it.each([
    ["x-forwarded-proto", "ftp"],
    ["x-forwarded-host", "a.example/paid?"],
    ["x-forwarded-host", "user@a.example"],
    ["x-forwarded-prefix", "shop"],
    ["x-forwarded-prefix", "//evil.example"],
    ["x-forwarded-prefix", "/a b"],
    ["x-forwarded-prefix", "/?"],
  ])("is not moved by %s: %s", (name, value) => {
    expect(read({ trustProxyHops: 1 }, { [name]: value })).toEqual({ clientAddress: "192.0.2.1" });
  });
});

describe("a proxy that nobody has spoken of", () => {
  const warningsOf = (options: ProxyOptions, header: string | undefined) => {
    const logger = { ...silent, warn: vi.fn() };
    const reader = createForwardedReader(options, logger);
    for (let i = 0; i < 3; i++) reader("192.0.2.1", (name) => (name === "x-forwarded-for" ? header : undefined));
    return logger.warn.mock.calls.map(([, message]) => message);
  };

  it("is told once", () => {
    expect(warningsOf({}, "198.51.100.1")).toEqual([expect.stringMatching(/trustProxyHops/)]);
  });

  it("is no news where the host has spoken, or where there is none", () => {
    expect(warningsOf({ trustProxyHops: 0 }, "198.51.100.1")).toEqual([]);
    expect(warningsOf({ trustProxyHops: 1 }, "198.51.100.1")).toEqual([]);
    expect(warningsOf({}, undefined)).toEqual([]);
  });
});
