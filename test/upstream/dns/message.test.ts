import { afterEach, describe, expect, it, vi } from "vitest";
import { hostDns } from "../../../src/upstream/dns/host.js";
import { readDnsMessage, writeDnsQuestion } from "../../../src/upstream/dns/message.js";

const hex = (text: string) => new Uint8Array(Buffer.from(text.replace(/\s/g, ""), "hex"));
/** example.com MX: an alias first, then 10 mx.example.com with a compressed name. */
const MX = hex(`0000 8180 0001 0002 0000 0000 07 6578616d706c65 03 636f6d 00 000f 0001
  c00c 0005 0001 0000003c 0002 c00c  c00c 000f 0001 0000003c 0007 000a 02 6d78 c00c`);

afterEach(() => vi.unstubAllGlobals());

describe("messages of DNS", () => {
  it("asks as RFC 1035 has it", () =>
    expect(Buffer.from(writeDnsQuestion("example.com", "TXT")).toString("hex")).toBe(
      "00000100000100000000000007657861" + "6d706c6503636f6d0000100001",
    ));

  it("reads records, and passes over aliases", () =>
    expect(readDnsMessage(MX, "MX")).toEqual([{ preference: 10, host: "mx.example.com" }]));

  it("joins the strings of a text", () => {
    const text = hex("0000 8180 0000 0001 0000 0000 00 0010 0001 0000003c 0006 02 6162 02 6364");
    expect(readDnsMessage(text, "TXT")).toEqual(["abcd"]);
  });

  it("takes a name that does not exist for no record, and a failure for none", () => {
    expect(readDnsMessage(hex("0000 8183 0000 0000 0000 0000"), "A")).toEqual([]);
    expect(() => readDnsMessage(hex("0000 8182 0000 0000 0000 0000"), "A")).toThrow("code 2");
  });

  it.each([
    ["a name that leads to itself", "0000 8180 0001 0000 0000 0000 c00c 0001 0001"],
    ["a record that ends early", "0000 8180 0000 0001 0000 0000 00 0001 0001 0000003c 00ff 01"],
    ["nothing", "0000"],
  ])("throws at %s", (_what, message) => expect(() => readDnsMessage(hex(message), "A")).toThrow());

  it("reads no random bytes for ever", () => {
    for (let seed = 1; seed < 400; seed++) {
      const bytes = Uint8Array.from(
        { length: 60 },
        (_, i) => (i < 12 ? [0, 0, 129, 0, 0, 1, 0, 2, 0, 0, 0, 0][i] : (seed * 2654435761 * (i + 7)) >>> 24) ?? 0,
      );
      try {
        readDnsMessage(bytes, "MX");
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });

  it("is posted where there is no resolver, so that no address names what is asked for", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const asked: string[] = [];
    const fetch = async (url: unknown, init?: RequestInit) => {
      asked.push(`${init?.method} ${url}`);
      return new Response(MX);
    };
    const dns = hostDns({
      fetch: fetch as never,
      outbound: {},
      signal: new AbortController().signal,
    });
    expect(await dns.ask("Example.com.", "MX")).toEqual([{ preference: 10, host: "mx.example.com" }]);
    expect(await dns.ask("example.com", "MX")).toHaveLength(1);
    expect(await dns.ask("db.internal", "MX")).toEqual([]);
    expect(await dns.ask("5.0.0.10.in-addr.arpa", "PTR")).toEqual([]);
    expect(asked).toEqual(["POST https://cloudflare-dns.com/dns-query"]);
  });
});
