/** The words of a judgement on a token, apart from the engine, which loads with the first token. */

export const JOSE = { engine: "jose", version: "6.2.17" };

export const REASONS = [
  ...(["no-key", "malformed", "unsecured", "algorithm", "key", "signature", "decryption"] as const),
  ...(["claims", "expired", "not-yet", "issuer", "audience"] as const),
] as const;
export type Reason = (typeof REASONS)[number];
