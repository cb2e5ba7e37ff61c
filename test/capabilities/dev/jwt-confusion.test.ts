import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { gzipSync } from "node:zlib";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { devJwt } from "../../../src/capabilities/dev/jwt.js";

type Input = Parameters<typeof devJwt>[0];
const judge = async (input: Input) => (await devJwt(input)).items[0];

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function forged(secret: string): string {
  const content = `${encode({ alg: "HS256" })}.${encode({ sub: "admin" })}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");

/** Self-signed by openssl for "example.com", EC P-256. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgzCCASmgAwIBAgIUGPDIPw7/vk494HpTCLQQnqCDRZswCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wIBcNMjYxMTI2MjAzNzUyWhgPMjEyNjEx
MDIyMDM3NTJaMBYxFDASBgNVBAMMC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEgBhncYwLDm8mkWWL7GDLIR5w5Vv8D6rhD1dZCyLAAkGQ5BkZ
d3X5XHqUxBgB+27KnYhmpyxGRxn3hUkcDX0yUaNTMFEwHQYDVR0OBBYEFCu3fmhR
oq6vmOUvPrAeUJnbphyrMB8GA1UdIwQYMBaAFCu3fmhRoq6vmOUvPrAeUJnbphyr
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOE351+iSWZ6hTKF
IyGmFMqio7uQiAsHEaYcieUeouwPAiBSNl5WJ3RfMze8BHVJZGpFqsMc1sSOyumU
h5V3ntCudw==
-----END CERTIFICATE-----
`;

const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const sshString = (part: Buffer | string) => Buffer.concat([uint32(Buffer.byteLength(part)), Buffer.from(part)]);
function sshOf(key: KeyObject): string {
  const { e = "", n = "" } = key.export({ format: "jwk" });
  const modulus = Buffer.concat([Buffer.from([0]), Buffer.from(n, "base64url")]);
  const blob = [sshString("ssh-rsa"), sshString(Buffer.from(e, "base64url")), sshString(modulus)];
  return Buffer.concat(blob).toString("base64");
}

function clothingsOf(key: KeyObject): [string, string][] {
  const pem = key.export({ type: "spki", format: "pem" }).toString();
  const der = key.export({ type: "spki", format: "der" });
  const jwk = key.export({ format: "jwk" });
  const body = der.toString("base64");
  const { x = "", y = "" } = jwk;
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return [
    ["PEM", pem],
    ["PEM with CRLF", pem.replaceAll("\n", "\r\n")],
    ["PEM with escaped line ends", pem.replaceAll("\n", "\\n")],
    ["PEM with doubly escaped line ends", pem.replaceAll("\n", "\\\\n")],
    ["PEM in one line", pem.replaceAll("\n", " ")],
    ["PEM without line ends", pem.replaceAll("\n", "")],
    ["indented PEM", pem.replace(/^/gm, "\t  ")],
    ["PEM after a byte order mark", `\uFEFF${pem}`],
    ["PEM after Bag Attributes", `Bag Attributes\n    friendlyName: x\nsubject=CN = x\n${pem}`],
    ["PEM after a comment", `# the issuer's key\n${pem}`],
    ["PEM in YAML", `key: |\n${pem.replace(/^/gm, "  ")}`],
    ["PEM in small letters", pem.toLowerCase()],
    ["PEM with en dashes", pem.replaceAll("-", "\u2013")],
    ["PEM without an end", pem.slice(0, pem.indexOf("-----END"))],
    ["PEM as a form has it", encodeURIComponent(pem)],
    ["PEM of a page", pem.replaceAll("\n", "&#10;")],
    ["PEM with zero bytes", [...pem].join("\0")],
    ["PEM as a JSON string", JSON.stringify(pem)],
    ["PEM as a JSON string twice", JSON.stringify(JSON.stringify(pem))],
    ["PEM in a JSON list", JSON.stringify([pem])],
    ["base64 of PEM", Buffer.from(pem).toString("base64")],
    ["base64 of base64 of PEM", Buffer.from(Buffer.from(pem).toString("base64")).toString("base64")],
    ["PEM in a data URL", `data:application/x-pem-file;base64,${Buffer.from(pem).toString("base64")}`],
    ["gzip of PEM", gzipSync(pem).toString("base64")],
    ["hexadecimal PEM", Buffer.from(pem).toString("hex")],
    ["base64 of DER", body],
    ["base64 of DER in lines", body.replace(/.{64}/g, "$&\r\n")],
    ["base64 of DER without padding", body.replace(/=+$/, "")],
    ["base64url of DER", der.toString("base64url")],
    ["base64 of DER in quotes", `"${body}"`],
    ["base64 of DER with a comment", `${body} issuer@example.com`],
    ["hexadecimal DER", der.toString("hex")],
    ["hexadecimal DER in capitals", `0x${der.toString("hex").toUpperCase()}`],
    ["hexadecimal DER with colons", der.toString("hex").replace(/..(?=.)/g, "$&:")],
    ["a DKIM record", `v=DKIM1; k=rsa; p=${body}`],
    ["a DKIM record in pieces", `"v=DKIM1; p=${body.slice(0, 50)}" "${body.slice(50)}"`],
    ["a JWK", JSON.stringify(jwk)],
    ["a JWK with blanks", ` \n${JSON.stringify(jwk, null, 2)}\n`],
    ["a list of JWKs", JSON.stringify([jwk])],
    ["a set of JWKs", JSON.stringify({ keys: [jwk] })],
    ["a JWK as a JSON string", JSON.stringify(JSON.stringify(jwk))],
    ["base64 of a JWK", Buffer.from(JSON.stringify(jwk)).toString("base64url")],
    [
      "a JWK of YAML",
      Object.entries(jwk)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n"),
    ],
    ["a JWK with single quotes", JSON.stringify(jwk).replaceAll('"', "'")],
    ["JSON bytes", JSON.stringify(der)],
    ["a list of bytes", JSON.stringify([...der])],
    ...(jwk.kty === "EC" ? ([["a point", point.toString("hex")]] as [string, string][]) : []),
    ...(jwk.kty === "RSA"
      ? ([
          ["PKCS 1", key.export({ type: "pkcs1", format: "pem" }).toString()],
          ["base64 of PKCS 1", key.export({ type: "pkcs1", format: "der" }).toString("base64")],
          ["ssh-rsa", `ssh-rsa ${sshOf(key)} me@example.com`],
          ["authorized keys", `no-pty,command="x" ssh-rsa ${sshOf(key)}`],
          ["the blob of ssh-rsa", sshOf(key)],
          [
            "SSH2",
            `---- BEGIN SSH2 PUBLIC KEY ----\n${sshOf(key).replace(/.{70}/g, "$&\n")}\n---- END SSH2 PUBLIC KEY ----`,
          ],
          ["XML", `<RSAKeyValue><Modulus>${jwk.n}</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>`],
        ] as [string, string][])
      : []),
  ];
}

const CERTIFICATES: [string, string][] = [
  ["a certificate", CERTIFICATE],
  ["a certificate in one line", CERTIFICATE.replaceAll("\n", "")],
  ["base64 of a certificate", CERTIFICATE.replace(/-----.*-----|\n/g, "")],
  ["x5c", JSON.stringify([CERTIFICATE.replace(/-----.*-----|\n/g, "")])],
];

/** Whether a forged token is told from a true one: by the verdict, or by refusing the key. */
async function isVerified(key: string): Promise<boolean | null | undefined> {
  try {
    return (await judge({ token: forged(key), key }))?.verified;
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: expect.stringMatching(/^key/) }] });
    return false;
  }
}

describe("ATK-17 a public key is no secret, in whatever clothes", () => {
  test.each([
    ["RSA", rsa.publicKey],
    ["EC", ec.publicKey],
    ["Ed25519", ed.publicKey],
  ])("of %s", async (_type, key) => {
    const taken: string[] = [];
    for (const [name, text] of clothingsOf(key)) if ((await isVerified(text)) !== false) taken.push(name);
    expect(taken).toEqual([]);
  });

  test("as a certificate", async () => {
    for (const [name, text] of CERTIFICATES) expect(await isVerified(text), name).toBe(false);
  });

  test.each(["12345678901234567890123456789012", '"a secret in quotation marks, 32 b"', "[1]", "null", " 5 "])(
    "nor is the JSON %s",
    async (key) => {
      await expect(judge({ token: forged(key), key })).rejects.toMatchObject({ issues: [{ path: "key" }] });
    },
  );

  test("unless the caller calls it one, and is warned", async () => {
    for (const [, key] of [...clothingsOf(ec.publicKey), ["a number", "12345678901234567890123456789012"]] as const) {
      const item = await judge({ token: forged(key), key, kind: "secret" });
      expect(item).toMatchObject({ verified: true });
      expect(item?.warnings).toContainEqual(expect.stringContaining("was taken as a secret, as asked"));
    }
    await expect(judge({ token: forged("x"), key: { kty: "oct", k: "eA" }, kind: "secret" })).rejects.toMatchObject({
      issues: [{ path: "key" }],
    });
  });

  test.each([
    "an example secret of 32 bytes ok",
    "-----not a key-----but 32 bytes or so",
    "correct horse battery staple, correct horse",
    Buffer.alloc(64, 0x30).toString("base64"),
    Buffer.alloc(32, 0xa7).toString("hex"),
    "{{ of a template }} {{ of a template }}".replaceAll("{", "<"),
    Buffer.alloc(48, 0xe9).toString("base64"),
    " blanks around a secret count as well ",
  ])("and %s still is a secret", async (key) => {
    await expect(judge({ token: forged(key), key })).resolves.toMatchObject({ verified: true, reason: null });
  });

  test("but verifies what its owner signed, in each form that is read", async () => {
    const token = await new SignJWT({ sub: "42" }).setProtectedHeader({ alg: "RS256" }).sign(rsa.privateKey);
    const key = rsa.publicKey;
    const readable = clothingsOf(key).filter(([name]) =>
      /^(?:PEM(?! in small| with en| without an end)|indented|base64 of|base64url|hexadecimal|gzip|a DKIM|PKCS|a JWK(?! of| with single)|a list of J|a set)/.test(
        name,
      ),
    );
    expect(readable.length).toBeGreaterThan(35);
    const wrong: string[] = [];
    for (const [name, text] of readable) {
      const verdict = await judge({ token, key: text }).catch(() => undefined);
      if (verdict?.verified !== true) wrong.push(name);
    }
    expect(wrong).toEqual([]);
    const old = rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    expect(createPublicKey(old).asymmetricKeyType).toBe("rsa");
    await expect(judge({ token, key: old })).resolves.toMatchObject({ verified: true });
  });

  test("and a text that hides nothing in many layers is judged quickly", async () => {
    let layers = "x".repeat(20);
    while (layers.length < 44_000) layers = Buffer.from(layers).toString("base64");
    const hostile = [
      layers,
      "-".repeat(60_000),
      "ssh-a@".repeat(10_000),
      `${"MEEwPTA5MDUwMTAtMCkwJTAhMB0wGTAVMBEwDTAJMAUwATAwMDAwMDAwMDAw"} `.repeat(900),
      "-----BEGIN A-----:".repeat(3_000),
      "%2D".repeat(20_000),
      "\\n".repeat(30_000),
      "[".repeat(60_000),
    ];
    const start = performance.now();
    for (const key of hostile) await judge({ token: forged("x"), key }).catch(() => undefined);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
