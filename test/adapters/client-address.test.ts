import { describe, expect, it } from "vitest";
import { createAddressReader, normalizeAddress } from "../../src/adapters/client-address.js";

describe("normalizeAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["192.0.2.1:4711", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:C000:0201", "192.0.2.1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:192.0.2.1%3", "192.0.2.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
  ])("TRI-3 %s is %s", (written, address) => {
    expect(normalizeAddress(written)).toBe(address);
  });

  it.each([
    "",
    "unknown",
    "_hidden",
    "127.1",
    "0x7f000001",
    "2130706433",
    "1.2.3.4.5",
    "1.2.3.4:x",
    "[::1",
    "localhost",
  ])("%s is no address", (written) => {
    expect(normalizeAddress(written)).toBeUndefined();
  });

  it("a connection without an address has none", () => {
    expect(normalizeAddress(undefined)).toBeUndefined();
  });
});

describe("createAddressReader", () => {
  const forwardedFor = "198.51.100.1, 198.51.100.2,198.51.100.3";

  it("TRI-2 believes no header by default: 1000 forged values are one caller", () => {
    const read = createAddressReader();
    const seen = new Set(
      Array.from({ length: 1000 }, (_, index) => read("192.0.2.1", `10.0.${index >> 8}.${index & 255}`)),
    );
    expect([...seen]).toEqual(["192.0.2.1"]);
  });

  it.each([
    [1, "198.51.100.3"],
    [2, "198.51.100.2"],
    [3, "198.51.100.1"],
  ])("TRI-2 with %i hops counts from the right", (trustProxyHops, address) => {
    expect(createAddressReader({ trustProxyHops })("192.0.2.1", forwardedFor)).toBe(address);
  });

  it.each([undefined, null, "", "not an address", "198.51.100.1, ,", "1.2.3.4, unknown"])(
    "TRI-2 falls back to the connection where the header says %s",
    (header) => {
      expect(createAddressReader({ trustProxyHops: 1 })("::ffff:192.0.2.1", header)).toBe("192.0.2.1");
    },
  );

  it("TRI-2 falls back to the connection where the header has fewer entries than hops", () => {
    expect(createAddressReader({ trustProxyHops: 4 })("192.0.2.1", forwardedFor)).toBe("192.0.2.1");
  });

  it("TRI-11 a connection without an address stays without one", () => {
    expect(createAddressReader()(undefined, forwardedFor)).toBeUndefined();
  });

  it.each([-1, 1.5, Number.NaN, true as unknown as number, "1" as unknown as number])(
    "refuses %s as a count",
    (hops) => {
      expect(() => createAddressReader({ trustProxyHops: hops })).toThrow(RangeError);
    },
  );
});
