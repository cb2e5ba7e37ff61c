/**
 * Scenarios of the field's conformance suite for this protocol (`conformance/vectors` of tempoxyz/mpp-tools), restated in its
 * form with values of our own. What a header must look like is asked of the official library.
 */
import { Challenge, Credential, Receipt } from "mppx";

export interface Scenario {
  name: string;
  object?: Record<string, unknown>;
  wire?: string;
  decoded?: string;
  encoded?: string;
  tests: Partial<Record<"parse" | "format" | "roundtrip", true | { success: false }>>;
}

const BOTH = { parse: true, format: true, roundtrip: true } as const;
const PARSE = { parse: true } as const;
const REFUSED = { parse: { success: false } } as const;

const request = { amount: "2500000", currency: "0x20c0000000000000000000000000000000000001", recipient: "0xab" };
const challenge = { id: "ch_1", realm: "api.example.com", method: "tempo", intent: "charge", request };
const plain = { ...challenge, request: {} };
const challengeWire = (given: object) => Challenge.serialize(given as Challenge.Challenge);
const plainWire = challengeWire(plain);
const without = (name: string) => plainWire.replace(new RegExp(`${name}="[^"]*"(?:, )?`), "").replace(/, $/, "");

export const wwwAuthenticate: Scenario[] = [
  { name: "required parameters alone", object: challenge, wire: challengeWire(challenge), tests: BOTH },
  ...[
    { ...challenge, description: "access", digest: "sha-256=X48E9q=", expires: "2027-01-29T12:05:00Z" },
    plain,
    { ...plain, intent: "stream", request: { deposit: "1", methodDetails: { chainId: 42431, feePayer: true } } },
    { ...plain, description: 'Pay "premium" API' },
    { ...plain, description: "Path C:\\pay\\api" },
    { ...plain, header: "Payment-Authorization" },
    { ...plain, opaque: "eyJhIjoiYiJ9" },
  ].map((object, at): Scenario => ({ name: `optional ones ${at}`, object, wire: challengeWire(object), tests: BOTH })),
  {
    name: "quotes that are not escaped end a value, and what follows is ignored",
    object: { ...plain, description: "Payment for " },
    wire: `${plainWire}, description="Payment for "Premium" service - 50% off!"`,
    tests: PARSE,
  },
  {
    name: "a line break in a value is not sent",
    object: { ...plain, description: "one\r\ntwo" },
    tests: { format: { success: false } },
  },
  ...["realm", "description"].map(
    (name): Scenario => ({
      name: `the word Payment in ${name} begins no scheme`,
      object: { ...plain, [name]: "with, Payment id of ours" },
      wire: challengeWire({ ...plain, [name]: "with, Payment id of ours" }),
      tests: PARSE,
    }),
  ),
  {
    name: "a text without an end is ignored",
    object: plain,
    wire: `${plainWire}, f="${"\\".repeat(12_000)}`,
    tests: PARSE,
  },
  {
    name: "blanks around separators",
    object: plain,
    wire: plainWire.replaceAll(", ", " ,  ").replace(" ", "  "),
    tests: PARSE,
  },
  {
    name: "parameters in another order",
    object: plain,
    wire: `Payment ${plainWire.slice("Payment ".length).split(", ").reverse().join(", ")}`,
    tests: PARSE,
  },
  { name: "parameters that nobody knows", object: plain, wire: `${plainWire}, foo="bar", baz=qux`, tests: PARSE },
  { name: "the scheme in other letters", object: plain, wire: plainWire.replace("Payment", "payment"), tests: PARSE },
  { name: "beside another scheme", object: plain, wire: `Bearer realm="x", ${plainWire}`, tests: PARSE },
  ...["id", "realm", "method", "intent", "request"].map(
    (name): Scenario => ({ name: `without ${name}`, wire: without(name), tests: REFUSED }),
  ),
  { name: "another scheme", wire: "Bearer token123", tests: REFUSED },
  { name: "a request outside the alphabet", wire: plainWire.replace('"e30"', '"not-valid!!!"'), tests: REFUSED },
  { name: "a request that is no JSON", wire: plainWire.replace('"e30"', '"bm90IGpzb24"'), tests: REFUSED },
  { name: "an empty id", wire: plainWire.replace('"ch_1"', '""'), tests: REFUSED },
  { name: "a parameter twice", wire: `${plainWire}, id="b"`, tests: REFUSED },
  { name: "nothing", wire: "", tests: REFUSED },
  { name: "the scheme alone", wire: "Payment", tests: REFUSED },
];

const credentialWire = (given: object) => Credential.serialize(given as Credential.Credential);
const wireOf = (value: unknown) => `Payment ${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
const credential = { challenge, payload: { type: "transaction", signature: "0xabcd" } };

export const authorization: Scenario[] = [
  ...[
    credential,
    { ...credential, source: "did:pkh:eip155:42431:0x1234567890abcdef1234567890abcdef12345678" },
    { ...credential, challenge: { ...challenge, expires: "2027-01-29T12:30:00Z" } },
    { challenge: { ...plain, header: "Payment-Authorization" }, payload: {} },
  ].map((object, at): Scenario => ({ name: `credential ${at}`, object, wire: credentialWire(object), tests: BOTH })),
  { name: "another scheme", wire: wireOf({ challenge: {} }).replace("Payment", "Bearer"), tests: REFUSED },
  { name: "letters outside the alphabet", wire: "Payment not-valid!!!", tests: REFUSED },
  { name: "no challenge", wire: wireOf({ payload: { type: "transaction" } }), tests: REFUSED },
  {
    name: "a challenge without an id",
    wire: wireOf({ challenge: { realm: "a", method: "tempo", intent: "charge", request: "e30" }, payload: {} }),
    tests: REFUSED,
  },
  { name: "no object", wire: wireOf([]), tests: REFUSED },
];

const receipt = { status: "success", method: "tempo", timestamp: "2027-01-29T12:00:00Z", reference: "0x12" };
const receiptWire = (given: object) => Receipt.serialize(given as Receipt.Receipt);

export const receipts: Scenario[] = [
  ...[receipt, { ...receipt, externalId: "order-1" }, { ...receipt, challengeId: "ch_1", chainId: 8453 }].map(
    (object, at): Scenario => ({ name: `receipt ${at}`, object, wire: receiptWire(object), tests: BOTH }),
  ),
  ...["status", "method", "timestamp", "reference"].map((name): Scenario => {
    const { [name]: _, ...rest } = receipt as Record<string, string>;
    return { name: `without ${name}`, wire: wireOf(rest).slice("Payment ".length), tests: REFUSED };
  }),
  { name: "a failure", wire: wireOf({ ...receipt, status: "failed" }).slice("Payment ".length), tests: REFUSED },
  { name: "a wrong time", wire: wireOf({ ...receipt, timestamp: "today" }).slice("Payment ".length), tests: REFUSED },
  { name: "letters outside the alphabet", wire: "not-valid!!!", tests: REFUSED },
];

export const base64url: Scenario[] = [
  ...[
    "",
    "Hi, you!",
    '{"k":"v"}',
    "https://a.example?b=c&d=e",
    "a",
    "ab",
    "abc",
    ">>>???",
    "!@#$%^&*()[]{}|;:,.<>?",
    "\t\n",
  ].map(
    (decoded): Scenario => ({
      name: JSON.stringify(decoded),
      decoded,
      encoded: Buffer.from(decoded).toString("base64url"),
      tests: BOTH,
    }),
  ),
  { name: "letters outside the alphabet", encoded: "not-valid!!!", tests: REFUSED },
  { name: "bytes that are no UTF-8", encoded: "_w", tests: REFUSED },
];
