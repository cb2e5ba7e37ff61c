/** Checks the statement of a delivery: that the service signed this body for this request and amount. */
import { CapabilityError } from "../../errors.js";
import type { OutgoingCall, Reply } from "../reply.js";
import type { Answer, DeliveryProof, ReceiptOptions } from "../types.js";
import { encodeHex, sha256 } from "./digest.js";

const HEADER = "delivery-statement";

interface Claims {
  endpoint: string;
  request: string;
  body: string;
  chargedUsd: string;
  quotedUsd: string;
}

/** Keys that services signed with first, by their address. */
type KnownSigners = Map<string, string>;

interface Checking {
  endpoint: string;
  outgoing: OutgoingCall;
  options: ReceiptOptions;
  known: KnownSigners;
}

/** The answer with its checked statement. Rejects with UPSTREAM_ERROR if a right one is required and not there. */
export async function withDelivery(
  answer: Answer<unknown>,
  reply: Reply,
  { outgoing, ...asked }: Checking,
): Promise<Answer<unknown>> {
  const { caller, costUsd } = answer.meta;
  const sent = { ...outgoing, url: reply.url ?? outgoing.url };
  const delivery = await checkDelivery(reply, { ...asked, outgoing: sent, costUsd });
  const checked = delivery ? { ...answer, delivery } : answer;
  const isPaid = caller === "paid" || caller === "account";
  // guard: client: a required receipt is refused where it is wrong or missing | never | client/delivery
  if (asked.options.required && isPaid && !delivery?.isVerified)
    throw new CapabilityError("UPSTREAM_ERROR", delivery?.problem ?? "The answer has no statement of its delivery.", {
      cause: checked,
    });
  return checked;
}

/** The statement of an answer with what is wrong with it; undefined for an answer without one. */
async function checkDelivery(
  { headers, bytes }: Pick<Reply, "headers" | "bytes">,
  asked: Checking & { costUsd: string },
): Promise<DeliveryProof | undefined> {
  const statement = headers.get(HEADER);
  if (statement === null) return undefined;
  try {
    const [head = "", body = "", signature = ""] = statement.split(".");
    const { kid = "", alg = "" } = read<{ kid: string; alg: string }>(head);
    const claims = read<Claims>(body);
    const facts = { statement, signer: kid, chargedUsd: `${claims.chargedUsd}`, claims };
    const signed = { kid, alg, input: `${head}.${body}`, signature: fromBase64url(signature) };
    const problem = (await contentProblem(claims, bytes, asked)) ?? (await signatureProblem(signed, asked));
    return problem === undefined ? { ...facts, isVerified: true } : { ...facts, isVerified: false, problem };
  } catch {
    const facts = { statement, signer: "", chargedUsd: "", claims: {} };
    return { ...facts, isVerified: false, problem: "The statement cannot be read." };
  }
}

async function contentProblem(
  claims: Partial<Claims>,
  bytes: Uint8Array,
  asked: Checking & { costUsd: string },
): Promise<string | undefined> {
  const { method, url, body = "" } = asked.outgoing;
  const { pathname, search } = new URL(url);
  const request = new TextEncoder().encode(`${method} ${pathname}${search}\n${body}`);
  // guard: client: a statement is of the body that came | never | client/delivery
  if (claims.body !== encodeHex(await sha256(bytes))) return "It is of another body.";
  // guard: client: a statement is of the request that was sent | never | client/delivery
  if (claims.request !== encodeHex(await sha256(request))) return "It is of another request.";
  if (claims.endpoint !== asked.endpoint) return "It is of another endpoint.";
  // guard: client: a statement is of the amount that was told | never | client/delivery
  if (claims.chargedUsd !== asked.costUsd) return `It says ${claims.chargedUsd} USD, the answer ${asked.costUsd} USD.`;
  return undefined;
}

interface SignedInput {
  kid: string;
  alg: string;
  input: string;
  signature: Uint8Array;
}

async function signatureProblem(
  { kid, alg, input, signature }: SignedInput,
  { options, known, outgoing }: Checking,
): Promise<string | undefined> {
  const { origin } = new URL(outgoing.url);
  const expected = options.signer ?? known.get(origin);
  // guard: client: a statement is by the key of this service | never | client/delivery
  if (expected !== undefined && expected !== kid) return `It is signed by ${kid}, not by ${expected}.`;
  const bytes = new TextEncoder().encode(input);
  const isGood =
    alg === "EdDSA" ? await byEd25519(kid, bytes, signature) : await byAccount(kid, bytes, signature, options);
  if (isGood === undefined)
    return `It is signed by an account: give receipts.verifyMessage, such as viem's, to check it.`;
  // guard: client: a statement has the signature of its key | never | client/delivery
  if (!isGood) return "Its signature is wrong.";
  known.set(origin, kid);
  return undefined;
}

async function byAccount(
  kid: string,
  raw: Uint8Array,
  signature: Uint8Array,
  { verifyMessage }: ReceiptOptions,
): Promise<boolean | undefined> {
  const [, address] = /^did:pkh:eip155:1:(0x[0-9a-fA-F]{40})$/.exec(kid) ?? [];
  if (address === undefined) return false;
  return verifyMessage?.({
    address: address as `0x${string}`,
    message: { raw },
    signature: `0x${encodeHex(signature)}`,
  });
}

async function byEd25519(kid: string, input: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const [, name = ""] = /^did:key:z([1-9A-HJ-NP-Za-km-z]{30,60})#z\1$/.exec(kid) ?? [];
  const key = fromBase58(name);
  // The prefix of an Ed25519 key.
  if (key.length !== 34 || key[0] !== 0xed || key[1] !== 0x01) return false;
  const jwk = { kty: "OKP", crv: "Ed25519", x: toBase64url(key.slice(2)) };
  // Where Node's own is there, the Web's one warns that it is experimental.
  const node = (globalThis as Hosted).process?.getBuiltinModule?.("node:crypto");
  if (node) return node.verify(null, input, node.createPublicKey({ key: jwk, format: "jwk" }), signature);
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return subtle.verify("Ed25519", imported, signature as Uint8Array<ArrayBuffer>, input as Uint8Array<ArrayBuffer>);
}

/** The members of Node's process and crypto that are used here, typed by hand since this runs in browsers, too. */
interface Hosted {
  process?: {
    getBuiltinModule?(name: "node:crypto"):
      | {
          createPublicKey(of: { key: object; format: "jwk" }): object;
          verify(algorithm: null, data: Uint8Array, key: object, signature: Uint8Array): boolean;
        }
      | undefined;
  };
}

const read = <T extends object>(part: string): Partial<T> =>
  JSON.parse(new TextDecoder().decode(fromBase64url(part))) as Partial<T>;

const fromBase64url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function fromBase58(text: string): Uint8Array {
  let number = [...text].reduce((sum, char) => sum * 58n + BigInt(ALPHABET.indexOf(char)), 0n);
  const bytes: number[] = [];
  for (; number > 0n; number /= 256n) bytes.unshift(Number(number % 256n));
  return Uint8Array.from(bytes);
}
