import { createHmac, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { devJwt } from "../../../src/capabilities/dev/jwt.js";

type Input = Parameters<typeof devJwt>[0];

const NOW = new Date("2026-05-01T10:00:00Z");
const SECRET = "a secret that is thirty-two bytes";
const judge = async (input: Input) => (await devJwt(input, { clock: () => NOW })).items[0];

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function signed(
  claims: unknown,
  secret: string | Buffer = SECRET,
  header: object = { alg: "HS256", typ: "JWT" },
): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}
const seconds = (iso: string) => Date.parse(iso) / 1000;

test("decodes a token without a key, and does not say that it is right", async () => {
  await expect(judge({ token: signed({ sub: "42", exp: seconds("2026-05-01T11:00:00Z") }) })).resolves.toEqual({
    header: { alg: "HS256", typ: "JWT" },
    claims: { sub: "42", exp: 1777633200 },
    payload: null,
    form: "jws",
    verified: null,
    reason: "no-key",
    expired: false,
    notYet: false,
    expiresAt: "2026-05-01T11:00:00.000Z",
    warnings: [],
  });
});

describe("a key", () => {
  test("as secret, JWK and set verifies", async () => {
    const token = signed({ sub: "42" });
    const jwk = { kty: "oct", k: Buffer.from(SECRET).toString("base64url"), alg: "HS256" };
    for (const key of [SECRET, jwk, JSON.stringify(jwk), { keys: [jwk] }])
      await expect(judge({ token, key })).resolves.toMatchObject({ verified: true, reason: null });
    await expect(judge({ token, key: `${SECRET}!` })).resolves.toMatchObject({ verified: false, reason: "signature" });
  });

  test("in PEM verifies, also by the public half of a private key", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { SignJWT } = await import("jose");
    const token = await new SignJWT({ sub: "42" }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    await expect(judge({ token, key: pem })).resolves.toMatchObject({
      verified: true,
      warnings: ["The token never expires."],
    });
    const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await expect(judge({ token, key: secret })).resolves.toMatchObject({ verified: true });
    // The text of a public key as the secret of a symmetric algorithm: the classic confusion.
    await expect(judge({ token: signed({ sub: "42" }, pem), key: pem })).resolves.toMatchObject({
      verified: false,
      reason: "key",
    });
  });

  test("of a set is chosen by kid, and a set that is ambiguous verifies nothing", async () => {
    const jwk = (secret: string, kid: string) => ({ kty: "oct", k: Buffer.from(secret).toString("base64url"), kid });
    const token = signed({}, SECRET, { alg: "HS256", kid: "b" });
    const keys = [jwk("x".repeat(32), "a"), jwk(SECRET, "b")];
    await expect(judge({ token, key: { keys } })).resolves.toMatchObject({ verified: true });
    const doubled = [...keys, jwk(SECRET, "a")];
    await expect(judge({ token, key: { keys: doubled } })).resolves.toMatchObject({ verified: false, reason: "key" });
  });

  test("decrypts", async () => {
    const { CompactEncrypt } = await import("jose");
    const content = new TextEncoder().encode(JSON.stringify({ sub: "42" }));
    const token = await new CompactEncrypt(content)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(new Uint8Array(32));
    const key = { kty: "oct", k: Buffer.alloc(32).toString("base64url") };
    await expect(judge({ token, key })).resolves.toMatchObject({ form: "jwe", verified: true, claims: { sub: "42" } });
    await expect(judge({ token })).resolves.toMatchObject({ verified: null, claims: null });
    const wrong = { kty: "oct", k: Buffer.alloc(32, 1).toString("base64url") };
    await expect(judge({ token, key: wrong })).resolves.toMatchObject({ verified: false, reason: "decryption" });
  });
});

describe("claims", () => {
  const exp = seconds("2026-05-01T09:00:00Z");
  const nbf = seconds("2026-05-01T11:00:00Z");
  test.each<[string, object, Partial<Input>]>([
    ["expired", { exp }, {}],
    ["not-yet", { nbf }, {}],
    ["claims", { exp: "tomorrow" }, {}],
    ["issuer", { iss: "them" }, { issuer: "us" }],
    ["audience", { aud: ["a", "b"] }, { audience: "c" }],
  ])("%s", async (reason, claims, more) => {
    const input = { token: signed(claims), key: SECRET, ...more };
    await expect(judge(input)).resolves.toMatchObject({ verified: false, reason });
    await expect(judge({ ...input, checkClaims: false })).resolves.toMatchObject({ verified: true, reason: null });
  });

  test("of the right issuer and audience pass", async () => {
    const input = { token: signed({ iss: "us", aud: ["a", "b"] }), key: SECRET, issuer: "us", audience: "b" };
    await expect(judge(input)).resolves.toMatchObject({ verified: true });
  });
});

describe("ATK-18 numbers of more digits than JavaScript's", () => {
  const tokenOf = (claims: string, header = '{"alg":"HS256"}') => {
    const content = [header, claims].map((text) => Buffer.from(text).toString("base64url")).join(".");
    return `${content}.${createHmac("sha256", SECRET).update(content).digest("base64url")}`;
  };

  test("are given as texts, to their last digit, with a warning", async () => {
    const token = tokenOf(
      '{"sub":9007199254740993,"ids":[{"a":-18446744073709551615}],"n":1e400,"__proto__":9007199254740993}',
    );
    const item = await judge({ token, key: SECRET });
    expect(JSON.stringify(item?.claims)).toBe(
      '{"sub":"9007199254740993","ids":[{"a":"-18446744073709551615"}],"n":"1e400","__proto__":"9007199254740993"}',
    );
    expect(item).toMatchObject({ verified: true });
    expect(item?.warnings).toContain(
      "Numbers with more digits than readers of JSON keep are given as texts: sub, ids, n, __proto__.",
    );
    const whole = await judge({ token: tokenOf('{"sub":9007199254740992,"f":0.30000000000000004}') });
    expect(whole).toMatchObject({ claims: { sub: 9007199254740992, f: 0.30000000000000004 } });
    expect(whole?.warnings).toEqual(["The token never expires."]);
  });

  test("of a header, too, and times and rounds of them still count", async () => {
    const header = '{"alg":"HS256","id":9007199254740993}';
    await expect(judge({ token: tokenOf("{}", header), key: SECRET })).resolves.toMatchObject({
      header: { id: "9007199254740993" },
      verified: true,
    });
    const late = await judge({
      token: tokenOf('{"exp":17776332000000000001,"nbf":1,"nbf":17776332000000000001}'),
      key: SECRET,
    });
    expect(late).toMatchObject({ claims: { exp: "17776332000000000001" }, expired: false, reason: "not-yet" });
    const pbes2 = '{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2c":10000000000000001,"p2s":"c2FsdHNhbHQ"}';
    const token = `${Buffer.from(pbes2).toString("base64url")}.aaaa.aaaa.aaaa.aaaa`;
    await expect(judge({ token, key: SECRET })).rejects.toMatchObject({ issues: [{ path: "token" }] });
  });
});

test("an unsigned token is never verified, with any spelling and any key", async () => {
  for (const alg of ["none", "None", "NONE"]) {
    const token = `${encode({ alg })}.${encode({ sub: "42" })}.`;
    for (const key of [undefined, SECRET])
      await expect(judge({ token, ...(key ? { key } : {}) })).resolves.toMatchObject({
        verified: false,
        reason: "unsecured",
        claims: { sub: "42" },
      });
  }
});

test("a key that the token brings with it is not used", async () => {
  const jwk = { kty: "oct", k: Buffer.from(SECRET).toString("base64url") };
  const token = signed({}, SECRET, { alg: "HS256", jwk });
  await expect(judge({ token })).resolves.toMatchObject({ verified: null, reason: "no-key" });
});

test("algorithms that the caller does not allow are refused", async () => {
  const input = { token: signed({}), key: SECRET, algorithms: ["RS256"] };
  await expect(judge(input)).resolves.toMatchObject({ verified: false, reason: "algorithm" });
});

test.each(["garbage", "a.b", "a.b.c.d", `${signed({})}=`, `${signed({}).replace(".", " .")}`, "..", '{"payload":""}'])(
  "%s is not a token",
  async (token) => {
    await expect(judge({ token, key: SECRET })).resolves.toMatchObject({
      verified: false,
      reason: "malformed",
      form: null,
    });
  },
);

/** Tokens that the suite calls valid, and we do not: their keys name another algorithm, or base64url is broken. */
const STRICTER: Record<string, number[]> = { jws: [346, 347, 350, 351, 372, 373], jwk: [], jwe: [] };
/** Tokens that the suite calls invalid for their padding, and that are right to the last byte. */
const RIGHT: Record<string, number[]> = { jws: [367, 370], jwk: [], jwe: [] };
/** RSA1_5 is an algorithm that nobody should decrypt with. */
const RSA1_5 = [100, 101, 102, 103, 104, 105, 112, 128];

test.each([
  ["jws", 401],
  ["jwk", 26],
  ["jwe", 139],
])("Wycheproof's %i vectors of %s", async (suite, count) => {
  type Row = [suite: string, group: string, key: Input["key"], tests: [id: number, token: string, valid: boolean][]];
  const file = readFileSync(new URL("../../suites/wycheproof-tokens.jsonl", import.meta.url), "utf8");
  const rows = file
    .trim()
    .split("\n")
    .slice(1)
    .map((line): Row => JSON.parse(line));
  const cases = rows
    .filter(([of]) => of === suite)
    .flatMap(([, , key, tests]) => tests.map((one) => [key, ...one] as const));
  expect(cases.length).toBe(count);
  const different: number[] = [];
  for (const [key, id, token, valid] of cases) {
    const verified = token === "" ? false : (await judge({ token, key, checkClaims: false }))?.verified;
    if ((verified === true) !== valid) different.push(id);
  }
  expect(different).toEqual(
    [...(STRICTER[suite] ?? []), ...(RIGHT[suite] ?? []), ...(suite === "jwe" ? RSA1_5 : [])].sort((a, b) => a - b),
  );
});

describe("refusals", () => {
  const modulus = Buffer.alloc(1025, 255).toString("base64url");
  test.each<[string, Partial<Input>]>([
    ["token", { token: "" }],
    ["token", { token: "a".repeat(20_001) }],
    [
      "token",
      {
        token: `${encode({ alg: "PBES2-HS256+A128KW", enc: "A128GCM", p2c: 10_001, p2s: "c2FsdHNhbHQ" })}.aaaa.aaaa.aaaa.aaaa`,
      },
    ],
    ["key", { key: { kty: "RSA", n: modulus, e: "AQAB" } }],
    ["key", { key: { keys: [{ kty: "RSA", n: modulus, e: "AQAB" }] } }],
    ["key.keys", { key: { keys: Array.from({ length: 51 }, () => ({ kty: "oct", k: "" })) } }],
    ["key", { key: "{broken" }],
    ["key", { key: {} }],
    [
      "key",
      {
        key: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        token: signed({}, SECRET, { alg: "RS256" }),
      },
    ],
  ])("names %s", async (path, input) => {
    await expect(judge({ token: signed({}), key: SECRET, ...input })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });

  test("repeat nothing of a token or key in their messages", async () => {
    const error = await judge({ token: signed({}), key: '{"k":"hush' }).catch((thrown: Error) => thrown);
    expect(String((error as Error).message)).not.toContain("hush");
  });
});
