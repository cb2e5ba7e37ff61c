import { describe, expect, it } from "vitest";
import { CapabilityError } from "../../../src/errors.js";
import { resolveAllowed } from "../../../src/upstream/outbound/allowed-url.js";
import { assertAllowedUrl } from "../../../src/upstream/outbound/outbound.js";
import { scriptedLookup } from "../../support/outbound.js";
import { allowedUrls, refusedUrls } from "../../support/urls.js";

const here = { outbound: {} };

const codeOf = (run: () => unknown) => {
  try {
    run();
    return "allowed";
  } catch (error) {
    return CapabilityError.is(error) ? error.code : error;
  }
};

describe("assertAllowedUrl", () => {
  for (const [kind, urls] of Object.entries(refusedUrls)) {
    it.each(urls)(`SSRF-4 SSRF-5 refuses ${kind}: %j`, (url) => {
      expect(codeOf(() => assertAllowedUrl(here, url, {}))).toBe("URL_NOT_ALLOWED");
    });
  }

  it.each(allowedUrls)("lets %j pass", (url) => {
    expect(assertAllowedUrl(here, url, {}).href).toBe(new URL(url).href);
  });

  it("names the caller's field", () => {
    expect(() => assertAllowedUrl(here, "http://10.0.0.1/", { field: "style.logo.source" })).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringMatching(/^style\.logo\.source: /),
        issues: [{ path: "style.logo.source", message: "does not lead to a public address" }],
      }),
    );
    expect(() => assertAllowedUrl(here, "nonsense", {})).toThrow(
      expect.objectContaining({ issues: [{ path: "url", message: expect.any(String) }] }),
    );
  });

  it("SSRF-3 wants https where only https is accepted", () => {
    expect(codeOf(() => assertAllowedUrl(here, "http://example.com/", { httpsOnly: true }))).toBe("URL_NOT_ALLOWED");
    expect(codeOf(() => assertAllowedUrl(here, "https://example.com/", { httpsOnly: true }))).toBe("allowed");
  });

  it("refuses a URL beyond any use in length", () => {
    expect(codeOf(() => assertAllowedUrl(here, `https://example.com/${"a".repeat(8200)}`, {}))).toBe("URL_NOT_ALLOWED");
  });

  it("SSRF-6 refuses the service's own names, whatever else is allowed", () => {
    const outbound = { denyHosts: ["API.example.com", "localhost:8402"], allowHosts: ["api.example.com"] };
    expect(codeOf(() => assertAllowedUrl({ outbound }, "https://api.example.com/api/x", {}))).toBe("URL_NOT_ALLOWED");
    expect(codeOf(() => assertAllowedUrl({ outbound }, "https://api.example.com./", {}))).toBe("URL_NOT_ALLOWED");
    expect(codeOf(() => assertAllowedUrl({ outbound }, "https://www.example.com/", {}))).toBe("allowed");
    const local = { outbound: { ...outbound, allowPrivate: true } };
    expect(codeOf(() => assertAllowedUrl(local, "http://localhost:8402/", {}))).toBe("URL_NOT_ALLOWED");
    expect(codeOf(() => assertAllowedUrl(local, "http://localhost:8403/", {}))).toBe("allowed");
  });

  it("lets a host's own image server pass, on another port only when that is listed too", () => {
    const outbound = { allowHosts: ["images", "10.0.0.7:8080"] };
    const judge = (url: string) => codeOf(() => assertAllowedUrl({ outbound }, url, {}));
    expect(judge("http://images/a.png")).toBe("allowed");
    expect(judge("http://images:8080/a.png")).toBe("URL_NOT_ALLOWED");
    expect(judge("http://10.0.0.7:8080/")).toBe("allowed");
    expect(judge("http://10.0.0.7/")).toBe("URL_NOT_ALLOWED");
    expect(judge("http://10.0.0.8:8080/")).toBe("URL_NOT_ALLOWED");
    expect(codeOf(() => assertAllowedUrl({ outbound: { allowHosts: ["[fd00::7]"] } }, "http://[FD00::7]/", {}))).toBe(
      "allowed",
    );
    expect(judge("file://images/etc/passwd")).toBe("URL_NOT_ALLOWED");
  });

  it("lets private addresses and any port pass in a closed network, but no other scheme", () => {
    const closed = { outbound: { allowPrivate: true } };
    expect(codeOf(() => assertAllowedUrl(closed, "http://127.0.0.1:9999/", {}))).toBe("allowed");
    expect(codeOf(() => assertAllowedUrl(closed, "http://db.internal/", {}))).toBe("allowed");
    expect(codeOf(() => assertAllowedUrl(closed, "file:///etc/passwd", {}))).toBe("URL_NOT_ALLOWED");
  });
});

describe("SSRF-2 resolveAllowed", () => {
  const resolveWith = async (addresses: string[] | undefined, outbound = {}) => {
    const { lookup } = scriptedLookup(addresses ? { "site.example": addresses } : {});
    return resolveAllowed({ outbound: { lookup, ...outbound } }, new URL("https://site.example./"), {});
  };

  it("gives the judged addresses with their family", async () => {
    expect(await resolveWith(["93.184.215.14", "2606:4700::1111"])).toEqual([
      { address: "93.184.215.14", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
  });

  it.each([
    [["10.0.0.5"]],
    [["93.184.215.14", "10.0.0.5"]],
    [["10.0.0.5", "93.184.215.14"]],
    [["93.184.215.14", "::ffff:10.0.0.1"]],
    [["64:ff9b::a00:1"]],
    [["fe80::1%eth0"]],
    [["not an address"]],
    [[]],
    [undefined],
    [Array(65).fill("93.184.215.14")],
  ])("refuses the answers %j in the same words", async (addresses) => {
    await expect(resolveWith(addresses)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      issues: [{ path: "url", message: "does not lead to a public address" }],
    });
  });

  it("takes any answer for a host that is listed, and in a closed network", async () => {
    expect(await resolveWith(["10.0.0.5"], { allowHosts: ["site.example"] })).toHaveLength(1);
    expect(await resolveWith(["10.0.0.5"], { allowPrivate: true })).toHaveLength(1);
    await expect(resolveWith([], { allowPrivate: true })).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  });

  it("asks nobody about an address", async () => {
    const { lookup, asked } = scriptedLookup({});
    const url = new URL("http://[2606:4700::1111]/");
    expect(await resolveAllowed({ outbound: { lookup } }, url, {})).toEqual([
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(asked).toEqual([]);
  });
});
