/**
 * Extensions of a 402 with an offer through Permit2: the facilitator pays the gas of a wallet's first allowance. The buyer
 * signs either a permit of the token (EIP-2612), or a transaction that approves Permit2, and returns its fields in `info`.
 */

export const PERMIT_SPONSORING = "eip2612GasSponsoring";
export const APPROVAL_SPONSORING = "erc20ApprovalGasSponsoring";
export type GasSponsoring = typeof PERMIT_SPONSORING | typeof APPROVAL_SPONSORING;

const ALLOWANCE = ["from", "asset", "spender", "amount"];

const declared = (description: string, fields: readonly string[]) => ({
  info: { description, version: "1" },
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
    required: fields,
  },
});

/** By its key among the 402's extensions. */
export const gasSponsoring: Readonly<Record<GasSponsoring, object>> = {
  [PERMIT_SPONSORING]: declared("Permit2 is allowed by a signed EIP-2612 permit, without gas.", [
    ...ALLOWANCE,
    ...["nonce", "deadline", "signature", "version"],
  ]),
  [APPROVAL_SPONSORING]: declared("Permit2 is allowed by a signed approval whose gas the facilitator pays.", [
    ...ALLOWANCE,
    ...["signedTransaction", "version"],
  ]),
};
