// Who sent this request? A bearer token is verified against the key set of its issuer, and every refusal has its reason.
import { pathToFileURL } from "node:url";
import { devJwt } from "coinslot/capabilities/dev";

/** The user of a request, or the status and message to answer. `keys` is the issuer's JWK set. */
export async function whoSent(headers, { keys, issuer, audience, clock }) {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (!token) return { status: 401, message: "Send a bearer token." };
  const algorithms = ["RS256", "ES256", "EdDSA"];
  const { items } = await devJwt({ token, key: keys, issuer, audience, algorithms }, clock ? { clock } : {});
  const [{ verified, reason, claims, expiresAt }] = items;
  if (verified) return { status: 200, user: claims.sub, until: expiresAt };
  return { status: 401, message: `The token was refused: ${reason}.` };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  // The issuer's side: a key pair, and a token that the private half signed.
  const { createSign, generateKeyPairSync } = await import("node:crypto");
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "https://id.example", aud: "shop", sub: "ada", exp: Math.floor(Date.now() / 1000) + 300 };
  const content = `${encode({ alg: "ES256", kid: "1" })}.${encode(claims)}`;
  const signature = createSign("sha256")
    .update(content)
    .sign({ key: privateKey, dsaEncoding: "ieee-p1363" }, "base64url");
  const keys = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256" }] };
  const asked = { keys, issuer: "https://id.example", audience: "shop" };
  console.log(await whoSent({ authorization: `Bearer ${content}.${signature}` }, asked));
  const forged = `${encode({ alg: "none" })}.${encode({ ...claims, sub: "admin" })}.`;
  console.log(await whoSent({ authorization: `Bearer ${forged}` }, asked));
}
