/** `?sign=1`, verified as a stranger would: from the published key and the answer alone. */
import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { recoverMessageAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { barcodeGenerate } from "../../src/capabilities/barcode/index.js";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { openShop } from "../support/shop.js";

const key = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as {
  kty: string;
  x: string;
  d: string;
};
const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const UNIT = "/api/convert/unit?value=1&from=kg&to=lb";

const mount = (options: Partial<HandlerOptions> = {}) =>
  createHandler({ capabilities: [convertUnit, barcodeGenerate], payment: false, signing: { key }, ...options });
const ask = (handle: ReturnType<typeof mount>, path: string, init?: RequestInit) =>
  handle(new Request(`http://host.test${path}`, init));

/** The signature base as RFC 9421 builds it from `Signature-Input`, and what signs it. */
async function baseOf(response: Response, path: string) {
  const input = response.headers.get("signature-input") ?? "";
  const [, parameters = "", names = ""] = /^sig=(\(([^)]*)\);.*)$/.exec(input) ?? [];
  const values: Record<string, string> = {
    '"@status"': String(response.status),
    '"content-digest"': response.headers.get("content-digest") ?? "",
    '"@path";req': path,
  };
  const lines = names.split(" ").map((name) => `${name}: ${values[name]}`);
  const base = Buffer.from([...lines, `"@signature-params": ${parameters}`].join("\n"));
  const [, text = ""] = /^sig=:([^:]+):$/.exec(response.headers.get("signature") ?? "") ?? [];
  const body = Buffer.from(await response.clone().arrayBuffer());
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  return {
    base,
    parameters,
    signature: Buffer.from(text, "base64"),
    digestHolds: digest === values['"content-digest"'],
  };
}

async function publishedKey(handle: ReturnType<typeof mount>) {
  const { keys } = (await (await ask(handle, "/.well-known/jwks.json")).json()) as {
    keys: { kid: string; kty: string; x: string; y?: string }[];
  };
  if (!keys[0]) throw new Error("no key");
  return keys[0];
}

describe("signed answers", () => {
  it("verify offline with the published key, and no longer when anything is changed", async () => {
    const handle = mount();
    const jwk = await publishedKey(handle);
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    const response = await ask(handle, `${UNIT}&sign=1`);
    const { base, signature, parameters, digestHolds } = await baseOf(response, "/api/convert/unit");
    expect(digestHolds).toBe(true);
    expect(parameters).toContain(`keyid="${jwk.kid}"`);
    expect(Number(/created=(\d+)/.exec(parameters)?.[1])).toBeCloseTo(Date.now() / 1000, -2);
    expect(verify(null, base, publicKey, signature)).toBe(true);
    const other = await baseOf(response, "/api/convert/currency");
    expect(verify(null, other.base, publicKey, signature)).toBe(false);
  });

  it("have the same body as unsigned ones, also where it is a file, and errors are signed as well", async () => {
    const handle = mount();
    const body = JSON.stringify({ data: { type: "text", text: "hello" }, output: "png" });
    const post = (query: string) => ask(handle, `/api/barcode/generate${query}`, { method: "POST", body });
    const [plain, signed] = [await post(""), await post("?sign=1")];
    expect(plain.headers.has("signature")).toBe(false);
    expect(Buffer.from(await signed.clone().arrayBuffer())).toEqual(Buffer.from(await plain.arrayBuffer()));
    expect(signed.headers.get("content-type")).toBe("image/png");
    expect((await baseOf(signed, "/api/barcode/generate")).digestHolds).toBe(true);
    const failed = await ask(handle, "/api/convert/unit?value=1&from=kg&to=m&sign=1");
    expect([failed.status, failed.headers.has("signature")]).toEqual([400, true]);
  });

  it("come from an account as well: it signs the base as a message", async () => {
    const handle = mount({ signing: { key: account } });
    const response = await ask(handle, `${UNIT}&sign=1`);
    const { base, signature, parameters } = await baseOf(response, "/api/convert/unit");
    const signer = await recoverMessageAddress({
      message: { raw: base },
      signature: `0x${signature.toString("hex")}`,
    });
    expect(signer).toBe(account.address);
    expect(parameters).toContain(account.address);
    const { x = "", y = "" } = await publishedKey(handle);
    expect(`0x04${Buffer.from(x, "base64url").toString("hex")}${Buffer.from(y, "base64url").toString("hex")}`).toBe(
      account.publicKey,
    );
  });

  it("name the path as the caller wrote it, where a proxy cuts something off", async () => {
    const handle = mount({ brand: { baseUrl: "https://example.com/shop" } });
    const { base, signature } = await baseOf(await ask(handle, `${UNIT}&sign=1`), "/shop/api/convert/unit");
    expect(verify(null, base, createPublicKey({ key: await publishedKey(handle), format: "jwk" }), signature)).toBe(
      true,
    );
  });

  it("are refused for free where there is no key, and for any other value; a bare probe is quoted all the same", async () => {
    const { signing: _, ...unsigned } = { signing: undefined };
    const handle = createHandler({ capabilities: [convertUnit], payment: false, ...unsigned });
    const refused = await ask(handle, `${UNIT}&sign=1`);
    expect([refused.status, await refused.json()]).toMatchObject([400, { issues: [{ path: "sign" }] }]);
    expect((await ask(mount(), `${UNIT}&sign=yes`)).status).toBe(400);
    const shop = openShop({ signing: { key } });
    const probe = await shop.get("/test/work?sign=1");
    expect([probe.status, probe.headers.has("signature")]).toEqual([402, true]);
  });

  it("need a key that can sign", () => {
    for (const wrong of [{ kty: "OKP", crv: "Ed25519", x: key.x }, { kty: "EC", crv: "P-256", d: "x" }, "secret", null])
      expect(() => mount({ signing: { key: wrong as never } })).toThrow(/signing\.key/);
    expect(() => mount({ signing: { key: { ...key, d: "AA" } } })).toThrow(TypeError);
  });
});
