import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { JOSE, REASONS } from "../../engines/tokens/reasons.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const judge = /* @__PURE__ */ lazy(() => import("../../engines/tokens/judge.js"));

const MAX_KEY_DEPTH = 8;

function depthOf(value: unknown, most = MAX_KEY_DEPTH + 1): number {
  if (typeof value !== "object" || value === null || most === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner, most - 1)));
}

const anyObject = () => z.record(z.string(), z.unknown());

export const devJwt = /* @__PURE__ */ defineCapability({
  id: "dev.jwt",
  method: "POST",
  summary: "Decode a JSON Web Token, and verify its signature, or decrypt it, with a JWK, a key set, PEM or a secret.",
  keywords: [
    "jwt",
    "json web token",
    "bearer token",
    "access token",
    "id token",
    "oauth",
    "openid",
    "signature",
    "jws",
    "jwe",
    "jwks",
    "decode token",
    "expired token",
    "claims",
  ],
  price: "0.001",
  packages: ["jose"],
  offline: true,
  source: { provider: "built-in (jose)", url: "https://www.rfc-editor.org/rfc/rfc7519", license: "MIT" },
  input: () =>
    z.strictObject({
      token: text(1, 20_000).describe("The token in compact form; it is neither logged nor kept"),
      key: z
        .union([text(1, 60_000), anyObject()])
        .optional()
        .describe(
          "JWK, JWK set of up to 50 keys, PEM (public key, certificate, private key), base64 of DER, or a secret as text",
        ),
      kind: z
        .enum(["auto", "secret"])
        .default("auto")
        .describe(
          "auto: text that is a public key, a certificate or JSON, in any form, is never a secret; secret: the text as it stands is one",
        ),
      algorithms: z
        .array(text(1, 40))
        .max(40)
        .optional()
        .describe("Algorithms that are allowed, such as RS256. Left out: the key's own, or those of its type"),
      issuer: text(1, 500).optional().describe("The issuer that the token must have"),
      audience: text(1, 500).optional().describe("An audience that the token must have"),
      checkClaims: z
        .boolean()
        .default(true)
        .describe("False judges the signature alone: an expired token, or one of another issuer, is verified"),
    }),
  output: one(() =>
    z.object({
      header: anyObject().nullable(),
      claims: anyObject().nullable().describe("Null where the content is not a JSON object, or is encrypted"),
      payload: z.string().nullable().describe("Content that is other than a JSON object, as text"),
      form: z.enum(["jws", "jwe"]).nullable().describe("Signed or encrypted; null if it is not a token"),
      verified: z.boolean().nullable().describe("By the key, and by the claims; null without a key"),
      reason: z.enum(REASONS).nullable().describe("Why it is not verified"),
      expired: z.boolean(),
      notYet: z.boolean().describe("Whether it becomes valid later"),
      expiresAt: z.string().nullable().describe("ISO 8601, UTC"),
      warnings: z.array(z.string()),
    }),
  ),
  example: {
    token:
      "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNDIifQ.GDC8AFGQVkiGa8XO2glOEiH2EHEUxsySXPWh3I3PawM",
    key: "an example secret of 32 bytes ok",
    issuer: "https://issuer.example",
  },
  check({ key, kind }) {
    if (kind === "secret" && typeof key !== "string") throw invalid("key", "must be text where kind is secret");
    // A set of keys has four levels: the set, its list, a key, and the list of its certificates.
    if (typeof key === "object" && depthOf(key) > MAX_KEY_DEPTH) throw invalid("key", "is nested too deeply for a key");
  },
  async run(question, ctx) {
    const { judgeToken } = await judge();
    return { item: await judgeToken(question, ctx.clock().getTime()), meta: method(JOSE) };
  },
});
