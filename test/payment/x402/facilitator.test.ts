/** Facilitators as the ecosystem's packages configure them. */
import { HTTPFacilitatorClient } from "@x402/core/server";
import { describe, expect, it } from "vitest";
import { sameAccount } from "../../../src/payment/networks/accounts.js";
import { createFacilitatorClient } from "../../../src/payment/x402/facilitator.js";
import type { FacilitatorOptions } from "../../../src/payment/x402/facilitator-options.js";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const URL_OF = "https://facilitator.test/platform/v2/x402" as const;
const requirements = {
  scheme: "exact" as const,
  network: "eip155:8453",
  amount: "1",
  asset: "0x",
  payTo: "0x",
  maxTimeoutSeconds: 60,
  extra: {},
};
const payment = { payload: {}, requirements, payer: "0x01" };

/** Takes each token once, for the path that it was made for, as gateways that check JWTs do. */
function gateway() {
  let made = 0;
  const good = new Set<string>();
  const tokenFor = (path: string) => {
    const token = `Bearer ${path} ${++made}`;
    good.add(token);
    return { Authorization: token };
  };
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = String(url).slice(URL_OF.length + 1);
    const token = new Headers(init?.headers).get("authorization") ?? "";
    if (!token.startsWith(`Bearer ${path} `) || !good.delete(token)) return Response.json({}, { status: 401 });
    asked.push(path);
    if (path === "verify") return Response.json({ isValid: true });
    if (path === "settle") return Response.json({ success: true, transaction: "0xabc", network: "eip155:8453" });
    return Response.json({ kinds: [] });
  };
  return { asked, fetch, tokenFor };
}

describe("a facilitator", () => {
  it("by a configuration with createAuthHeaders gets new ones for each request", async () => {
    const { asked, fetch, tokenFor } = gateway();
    const config: FacilitatorOptions = {
      url: URL_OF,
      createAuthHeaders: async () => ({
        verify: tokenFor("verify"),
        settle: tokenFor("settle"),
        supported: tokenFor("supported"),
      }),
    };
    const client = createFacilitatorClient(config, { fetch, sameAccount, logger });
    expect(await client.verify(payment)).toEqual({ kind: "valid" });
    expect(await client.verify(payment)).toEqual({ kind: "valid" });
    expect(await client.settle(payment)).toMatchObject({ kind: "settled" });
    expect(await client.supported()).toEqual({ kinds: [] });
    expect(asked).toEqual(["verify", "verify", "settle", "supported"]);
  });

  it("that names no address and does not answer by itself is refused at the start", () => {
    const fetch = () => Promise.reject(new Error("not this way"));
    expect(() => createFacilitatorClient({}, { fetch, sameAccount, logger })).toThrow("names no url");
  });

  it("by the official client is asked through that, whatever address it also names", async () => {
    class Recorded extends HTTPFacilitatorClient {
      override verify = async () => ({ isValid: true });
      override settle = async () =>
        ({ success: true, transaction: "0xabc", network: "eip155:8453" as const, payer: "0x01" }) as never;
      override getSupported = async () => ({ kinds: [], extensions: ["told"], signers: {} });
    }
    const official = new Recorded({ url: URL_OF });
    const fetch = () => Promise.reject(new Error("not this way"));
    const client = createFacilitatorClient(official, { fetch, sameAccount, logger });
    expect(await client.verify(payment)).toEqual({ kind: "valid" });
    expect(await client.settle(payment)).toMatchObject({ kind: "settled", transaction: "0xabc" });
    expect(await client.supported()).toMatchObject({ extensions: ["told"] });
  });

  it("whose own sentences quote a key shows only the code of its reason, or none", async () => {
    const answers = [
      { isValid: false, invalidReason: "https://rpc.test/v2/SECRET failed", invalidMessage: "SECRET" },
      { isValid: false, invalidReason: "insufficient_funds", invalidMessage: "SECRET" },
    ];
    const fetch = async () => Response.json(answers.shift());
    const client = createFacilitatorClient({ url: URL_OF }, { fetch, sameAccount, logger });
    expect(await client.verify(payment)).toEqual({ kind: "invalid", reason: "refused" });
    expect(await client.verify(payment)).toEqual({ kind: "invalid", reason: "insufficient_funds" });
  });
});
