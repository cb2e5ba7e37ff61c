/**
 * The `eip2612GasSponsoring` extension of a 402: the facilitator pays the gas of a wallet's first Permit2 allowance.
 */

export const SPONSORING = "eip2612GasSponsoring";

const FIELDS = ["from", "asset", "spender", "amount", "nonce", "deadline", "signature", "version"];

/** The buyer signs an EIP-2612 permit for the maximum and returns its fields in `info`. */
export const gasSponsoring = {
  [SPONSORING]: {
    info: { description: "Permit2 is allowed by a signed EIP-2612 permit, without gas.", version: "1" },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: Object.fromEntries(FIELDS.map((name) => [name, { type: "string" }])),
      required: FIELDS,
    },
  },
};
