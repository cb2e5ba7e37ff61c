import { describe, expect, it } from "vitest";
import { normalizeAddress } from "../../src/adapters/shared/client-address.js";

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
