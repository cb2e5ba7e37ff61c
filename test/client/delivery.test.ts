/** The statement that a body answered a request for an amount: signed by the service, checked by the client. */
import { createHash, generateKeyPairSync } from "node:crypto";
import { privateKeyToAccount } from "viem/accounts";
import { verifyMessage } from "viem/utils";
import { describe, expect, it, vi } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { textDiff } from "../../src/capabilities/text/index.js";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { silent } from "../../src/lib/logger.js";
import type { SigningOptions } from "../../src/signing/options.js";
import { payerOf, wireTo } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

const newKey = () => generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as SigningOptions["key"];
const KG = { value: 1, from: "kg", to: "lb" };
const TEXTS = { a: "one", b: "two" };

function open(key: SigningOptions["key"] | undefined = newKey(), options: Partial<ClientOptions> = {}) {
  const shop = openShop({
    ...{ capabilities: [convertUnit, textDiff], accounts: { keys: true }, logger: silent },
    ...(key ? { signing: { key } } : {}),
    clock: fakeClock(new Date().toISOString()),
  });
  const wire = wireTo((request) => shop.handle(request, { clientAddress: "203.0.113.9" }));
  /** What happens to an answer on its way. */
  let harm = (answer: Response): Response | Promise<Response> => answer;
  const fetch: typeof globalThis.fetch = async (...asked) => harm(await wire.fetch(...asked));
  const client = createClient({ baseUrl: "http://shop.test", fetch, pay: payerOf(alice).client, ...options });
  const harmBy = (how: typeof harm) => {
    harm = how;
  };
  return { ...shop, ...wire, client, harmBy };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const withBody = (answer: Response, body: string) => new Response(body, answer);
const withStatement = (answer: Response, change: (parts: string[]) => string[]) => {
  const headers = new Headers(answer.headers);
  headers.set("delivery-statement", change((headers.get("delivery-statement") ?? "").split(".")).join("."));
  return new Response(answer.body, { status: answer.status, headers });
};
const isPaid = (answer: Response) => answer.headers.has("delivery-statement");

describe("REC-1 the statement of a delivery", () => {
  it("names body, request and amount, whether a wallet or an account pays, and the client has checked it", async () => {
    const { client, sent, handle } = open();
    const { delivery, meta } = await client.convert.unit.withMeta(KG);
    const { url } = sent.at(-1) ?? { url: "" };
    const { pathname, search } = new URL(url);
    expect(delivery).toMatchObject({
      isVerified: true,
      chargedUsd: "0.001",
      signer: expect.stringMatching(/^did:key:z/),
      claims: {
        ...{ endpoint: "convert.unit", requestId: meta.requestId, status: 200, payer: alice.address },
        ...{ request: sha256(`GET ${pathname}${search}\n`), transaction: meta.payment?.transaction },
      },
    });
    const posted = await client.text.diff.withMeta(TEXTS);
    expect(posted.delivery).toMatchObject({
      isVerified: true,
      claims: { request: sha256(`POST /api/text/diff\n${JSON.stringify(TEXTS)}`) },
    });
    await handle.accounts.topUp("acme", "1", { reference: "r" });
    const { key } = await handle.accounts.createKey("acme");
    const response = await handle(
      new Request("http://shop.test/api/convert/unit?value=1&from=kg&to=lb", {
        headers: { authorization: `Bearer ${key}` },
      }),
    );
    const [, claims = ""] = (response.headers.get("delivery-statement") ?? "").split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      ...{ account: "acme", chargedUsd: "0.001", body: sha256(await response.text()) },
    });
    expect(response.headers.get("access-control-expose-headers")).toContain("Delivery-Statement");
  });

  it("stands in a repeated answer for the same purchase, and in none that is free or failed", async () => {
    const { payFor, pay, get } = open();
    const path = "/convert/unit?value=1&from=kg&to=lb";
    const payment = await payFor(path);
    const claimsOf = (answer: Response) =>
      JSON.parse(Buffer.from(answer.headers.get("delivery-statement")?.split(".")[1] ?? "", "base64url").toString());
    const [first, again] = [claimsOf(await pay(path, payment)), claimsOf(await pay(path, payment))];
    expect(again).toEqual(first);
    for (const answer of [await get(path), await get(path, { "x-svc-trial": "1" }), await get(`${path}x`)])
      expect(answer.headers.has("delivery-statement")).toBe(false);
    expect((await open(undefined).client.convert.unit.withMeta(KG)).delivery).toBeDefined();
  });

  it("leaves out what cannot be signed, and the answer that was paid for comes", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const signMessage = vi.fn(() => Promise.reject(new Error("the vault is closed")));
    const { client } = open({ ...account, signMessage } as never);
    const { data, delivery } = await client.convert.unit.withMeta(KG);
    expect([data.total, delivery]).toEqual([1, undefined]);
  });

  it("is checked for an account's key by the given function", async () => {
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const checked = await open(account, { receipts: { verifyMessage } }).client.convert.unit.withMeta(KG);
    expect(checked.delivery).toMatchObject({ isVerified: true, signer: `did:pkh:eip155:1:${account.address}` });
    const unchecked = await open(account).client.convert.unit.withMeta(KG);
    expect(unchecked.delivery).toMatchObject({ isVerified: false, problem: expect.stringContaining("verifyMessage") });
  });
});

describe("REC-2 a statement that is wrong", () => {
  it.each<[string, (answer: Response) => Response | Promise<Response>, string]>([
    ["another body", async (answer) => withBody(answer, (await answer.text()).replace("2.2", "2.3")), "another body"],
    [
      "another signature",
      (answer) => withStatement(answer, ([head = "", claims = ""]) => [head, claims, "A".repeat(86)]),
      "signature is wrong",
    ],
    [
      "another amount",
      (answer) =>
        withStatement(answer, ([head = "", claims = "", signature = ""]) => {
          const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), chargedUsd: "0.0001" };
          return [head, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature];
        }),
      "0.0001 USD",
    ],
    ["nonsense", (answer) => withStatement(answer, () => ["x", "y"]), "cannot be read"],
  ])("tells of %s, and is refused where a right one is required", async (_, harm, problem) => {
    const { client, harmBy } = open();
    harmBy((answer) => (isPaid(answer) ? harm(answer) : answer));
    const { delivery } = await client.convert.unit.withMeta(KG);
    expect(delivery).toMatchObject({ isVerified: false, problem: expect.stringContaining(problem) });
    const strict = open(newKey(), { receipts: { required: true } });
    strict.harmBy((answer) => (isPaid(answer) ? harm(answer) : answer));
    await expect(strict.client.convert.unit(KG)).rejects.toThrow(problem);
  });

  it("is told where the request, or the key of the service, is another one than before", async () => {
    const { client, harmBy } = open();
    let kept: string | null = null;
    harmBy((answer) => {
      kept ??= answer.headers.get("delivery-statement");
      return isPaid(answer) && kept !== null ? withStatement(answer, () => (kept ?? "").split(".")) : answer;
    });
    expect((await client.convert.unit.withMeta(KG)).delivery?.isVerified).toBe(true);
    expect((await client.convert.unit.withMeta({ ...KG, value: 2 })).delivery?.isVerified).toBe(false);
    // The same body and price: another request all the same.
    const again = open(newKey());
    let first: Response | undefined;
    again.harmBy((answer) => {
      if (!isPaid(answer)) return answer;
      first ??= answer.clone();
      return first.clone();
    });
    const [one, other] = [{ ...TEXTS }, { ...TEXTS, b: "three" }];
    expect((await again.client.text.diff.withMeta(one)).delivery?.isVerified).toBe(true);
    expect((await again.client.text.diff.withMeta(other)).delivery).toMatchObject({
      isVerified: false,
      problem: "It is of another request.",
    });

    const [mine, others] = [open(), open()];
    expect((await mine.client.convert.unit.withMeta(KG)).delivery?.isVerified).toBe(true);
    const asked = createClient({
      baseUrl: "http://shop.test",
      fetch: others.fetch,
      pay: payerOf(alice).client,
      receipts: { signer: (await mine.client.convert.unit.withMeta(KG)).delivery?.signer ?? "" },
    });
    expect((await asked.convert.unit.withMeta(KG)).delivery).toMatchObject({
      isVerified: false,
      problem: expect.stringMatching(/^It is signed by did:key:z\S+, not by did:key:z/),
    });
  });

  it("is missing where one is required", async () => {
    const { client, harmBy } = open(newKey(), { receipts: { required: true } });
    harmBy((answer) => {
      const headers = new Headers(answer.headers);
      headers.delete("delivery-statement");
      return new Response(answer.body, { status: answer.status, headers });
    });
    await expect(client.convert.unit(KG)).rejects.toThrow("no statement");
  });
});
