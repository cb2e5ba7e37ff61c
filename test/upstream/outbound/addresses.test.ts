import { networkInterfaces } from "node:os";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isPublicAddress } from "../../../src/upstream/outbound/addresses.js";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, networkInterfaces: vi.fn(os.networkInterfaces) };
});
afterEach(() => vi.mocked(networkInterfaces).mockReset());

/** Special ranges: first and last address inside, and the neighbours outside that are public. */
const ranges: [name: string, inside: string[], outside: string[]][] = [
  ["this network", ["0.0.0.0", "0.255.255.255"], ["1.0.0.0"]],
  ["private 10/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
  ["carrier-grade NAT", ["100.64.0.0", "100.127.255.255"], ["100.63.255.255", "100.128.0.0"]],
  ["loopback", ["127.0.0.0", "127.0.0.1", "127.255.255.255"], ["126.255.255.255", "128.0.0.0"]],
  ["link-local", ["169.254.0.0", "169.254.169.254", "169.254.255.255"], ["169.253.255.255", "169.255.0.0"]],
  ["private 172.16/12", ["172.16.0.0", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]],
  ["protocol assignments", ["192.0.0.0", "192.0.0.192", "192.0.0.255"], ["191.255.255.255", "192.0.1.0"]],
  ["TEST-NET-1", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0"]],
  ["AS112", ["192.31.196.0", "192.175.48.255"], ["192.31.195.255", "192.175.49.0"]],
  ["AMT", ["192.52.193.0", "192.52.193.255"], ["192.52.192.255", "192.52.194.0"]],
  ["6to4 relay", ["192.88.99.0", "192.88.99.255"], ["192.88.98.255", "192.88.100.0"]],
  ["private 192.168/16", ["192.168.0.0", "192.168.255.255"], ["192.167.255.255", "192.169.0.0"]],
  ["benchmarking", ["198.18.0.0", "198.19.255.255"], ["198.17.255.255", "198.20.0.0"]],
  ["TEST-NET-2", ["198.51.100.0", "198.51.100.255"], ["198.51.99.255", "198.51.101.0"]],
  ["TEST-NET-3", ["203.0.113.0", "203.0.113.255"], ["203.0.112.255", "203.0.114.0"]],
  ["multicast to broadcast", ["224.0.0.0", "240.0.0.0", "255.255.255.255"], ["223.255.255.255"]],
  ["Azure WireServer", ["168.63.129.16"], ["168.63.129.15", "168.63.129.17"]],
  ["IPv6 unspecified and loopback", ["::", "::1"], []],
  ["IPv4-compatible", ["::7f00:1", "::8.8.8.8"], []],
  ["IPv4-mapped", ["::ffff:10.0.0.1", "::ffff:8.8.8.8", "::ffff:0:0"], []],
  ["IPv4-translated", ["::ffff:0:10.0.0.1"], []],
  ["NAT64", ["64:ff9b::a00:1", "64:ff9b::808:808", "64:ff9b:1:a00:0:100::"], []],
  ["discard only", ["100::1"], []],
  ["below and above 2000::/3", ["1fff:ffff::1", "4000::1", "5f00::1", "8000::1"], ["2000::1"]],
  ["protocol assignments and Teredo", ["2001::1", "2001:1::1", "2001:1ff:ffff::1"], ["2001:200::1", "2000:ffff::1"]],
  ["documentation", ["2001:db8::1", "2001:db8:ffff::1"], ["2001:db7:ffff::1", "2001:db9::1"]],
  ["6to4", ["2002:a00:1::1", "2002:808:808::1", "2002:ffff::1"], ["2003::1"]],
  ["AS112 over IPv6", ["2620:4f:8000::1"], ["2620:4f:7fff::1", "2620:4f:8001::1"]],
  ["documentation, RFC 9637", ["3fff::1", "3fff:fff::1"], ["3ffe:ffff::1", "3fff:1000::1"]],
  ["unique local", ["fc00::1", "fd00:ec2::254", "fdff:ffff::1"], []],
  ["link-local and site-local", ["fe80::1", "febf::1", "fec0::1"], []],
  ["IPv6 multicast", ["ff02::1"], []],
];

describe("SSRF-4 isPublicAddress", () => {
  it.each(ranges)("knows the borders of %s", (_, inside, outside) => {
    expect(inside.filter(isPublicAddress)).toEqual([]);
    expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it("lets ordinary public addresses pass", () => {
    const addresses = ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2001:4860:4860::8888", "2606:4700:4700::1111"];
    expect(addresses.filter(isPublicAddress)).toEqual(addresses);
  });

  it("refuses this machine's own addresses, however they are written", () => {
    const entry = { netmask: "", mac: "", internal: false, cidr: null };
    vi.mocked(networkInterfaces).mockReturnValue({
      eth0: [
        { ...entry, address: "93.184.215.14", family: "IPv4" },
        { ...entry, address: "2600:1::1:0:0:1", family: "IPv6", scopeid: 0 },
      ],
    });
    expect(isPublicAddress("93.184.215.14")).toBe(false);
    expect(isPublicAddress("2600:1:0:0:1::1")).toBe(false);
    expect(isPublicAddress("93.184.215.15")).toBe(true);
  });

  it.each([
    "",
    "example.com",
    "127.1",
    "2130706433",
    "0x7f000001",
    "8.8.8.8.8",
    "2600::1%eth0",
    "[2600::1]",
    "8.8.8.8 ",
  ])("does not take %j for an address", (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it("never throws, and finds no public address inside a special one", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) => typeof isPublicAddress(text) === "boolean"),
    );
    fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(`::ffff:${address}`)));
    fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(`64:ff9b::${address}`)));
  });

  it("agrees with ipaddr.js, which knows the registries too, on any address", () => {
    const high = fc.constantFrom("2000", "2001", "2002", "2600", "2620", "3fff", "100", "64", "fe80");
    const group = fc.oneof(
      fc.constantFrom("0", "db8", "4f", "8000", "2", "30"),
      fc.nat(0xffff).map((value) => value.toString(16)),
    );
    const v6 = fc.tuple(high, group, group, group).map((groups) => `${groups.join(":")}::1`);
    const block = fc.constantFrom(
      "192.0",
      "192.88",
      "192.31",
      "192.52",
      "198.18",
      "198.51",
      "203.0",
      "100.64",
      "172.16",
    );
    const v4 = fc.tuple(block, fc.nat(255), fc.nat(255)).map((parts) => parts.join("."));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), v4, v6), (text) => {
        const address = ipaddr.parse(text);
        const listed = address.range() === "unicast";
        const global = !(address instanceof ipaddr.IPv6) || address.match(ipaddr.IPv6.parseCIDR("2000::/3"));
        return isPublicAddress(text) === (listed && global);
      }),
      { numRuns: 2000 },
    );
  });
});
