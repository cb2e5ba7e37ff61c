/** Names of the Ethereum Name Service, through its universal resolver on Ethereum. */
import type { Hex } from "viem";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { MINUTE_MS } from "../../lib/time.js";
import { fetchOutbound, postOutbound } from "../../upstream/outbound/outbound.js";
import { browserAgent } from "../../upstream/user-agent.js";
import {
  type Address,
  type CallOutcome,
  type ChainView,
  callContract,
  callContracts,
  decoded,
  loadViem,
  readChain,
  type Viem,
} from "./client.js";

export const UNIVERSAL_RESOLVER = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe";
/** The coin type (SLIP-44) whose reverse records are looked up. */
const ETH_COIN_TYPE = 60n;
/** Makes viem request the name's own gateways directly, instead of through a batch server. */
const OWN_GATEWAYS = ["x-batch-gateway:true"];
const MAX_GATEWAY_BYTES = 1024 * 1024;
const MAX_GATEWAYS = 3;
const GATEWAY_TIMEOUT_MS = 8_000;
const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

const loadEns = lazy(() => import("viem/ens").catch(without("viem")));
/** Built on first use, as viem is loaded. */
const loadAbi = lazy(async () =>
  (await loadViem()).parseAbi([
    "function resolve(bytes name, bytes data) view returns (bytes, address)",
    "function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)",
    "function reverse(bytes lookupAddress, uint256 coinType) view returns (string, address, address)",
    "function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways) view returns (string, address, address)",
    "function addr(bytes32 node) view returns (address)",
    "function text(bytes32 node, string key) view returns (string)",
  ]),
);
type Abi = Awaited<ReturnType<typeof loadAbi>>;

/** Selectors of errors that mean "not set". */
const NOT_SET = new Set([
  "0x77209fe8", // ResolverNotFound(bytes)
  "0x1e9535f2", // ResolverNotContract(bytes,address)
  "0x7b1c461b", // UnsupportedResolverProfile(bytes4)
  "0x95c0c752", // ResolverError(bytes)
  "0xef9c03ce", // ReverseAddressMismatch(string,bytes): the name's setter does not own it
]);
/** OffchainLookup(address,string[],bytes,bytes4,bytes) of EIP-3668: the answer is not on the chain. */
const OFFCHAIN_LOOKUP = "0x556f1830";

/** The texts of a name, by the keys asked for. */
export type Records<Key extends string> = Record<Key, string | null>;

interface Resolved<Key extends string> {
  /** Null if the name has no address. */
  address: Address | null;
  resolver: Address | null;
  records: Records<Key>;
}

export interface PrimaryName<Key extends string> {
  /** Null if none is set, or the name does not lead back to the address. */
  name: string | null;
  resolver: Address | null;
  /** Null without a name. */
  records: Records<Key> | null;
}

/** The normalised form of a name (ENSIP-15); undefined for an invalid name. */
export async function normalizeName(name: string): Promise<string | undefined> {
  const { normalize } = await loadEns();
  return decoded(() => normalize(name));
}

/** The address of a normalised name, and its texts. */
export function resolveName<Key extends string>(
  ctx: Context,
  name: string,
  keys: readonly Key[],
): Promise<Resolved<Key>> {
  return readEns(ctx, async (resolver) => {
    const found = await resolver.address(name);
    const records = found.resolver ? await resolver.texts(name, keys) : nothing(keys);
    return { ...found, records };
  });
}

/** The primary name of an address, and the texts of that name. */
export function reverseName<Key extends string>(
  ctx: Context,
  address: Address,
  keys: readonly Key[],
): Promise<PrimaryName<Key>> {
  return readEns(ctx, async (resolver) => {
    const found = await resolver.primaryName(address);
    // A name that differs from its normalised form imitates another one.
    const isName = found.name !== null && (await normalizeName(found.name)) === found.name;
    if (found.name === null || !isName) return { name: null, resolver: null, records: null };
    return { ...found, records: await resolver.texts(found.name, keys) };
  });
}

const nothing = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, null])) as Records<Key>;

async function readEns<T>(ctx: Context, read: (resolver: UniversalResolver) => Promise<T>): Promise<T> {
  const [abi, { packetToBytes, namehash }] = await Promise.all([loadAbi(), loadEns()]);
  return readChain(
    ctx,
    "ethereum",
    (view) =>
      read(new UniversalResolver(view, abi, (name) => [view.viem.toHex(packetToBytes(name)), namehash(name)] as const)),
    { ttlMs: 5 * MINUTE_MS, gateway: (request) => askGateways(ctx, request) },
  );
}

/** The same query in two forms: for the chain alone, and for gateways. */
interface Question {
  plain: Hex;
  viaGateways: Hex;
}

class UniversalResolver {
  readonly #view: ChainView;
  readonly #viem: Viem;
  readonly #abi: Abi;
  /** A name in the wire format of DNS, and its hash. */
  readonly #encode: (name: string) => readonly [Hex, Hex];

  constructor(view: ChainView, abi: Abi, encode: (name: string) => readonly [Hex, Hex]) {
    this.#view = view;
    this.#viem = view.viem;
    this.#abi = abi;
    this.#encode = encode;
  }

  async address(name: string): Promise<{ address: Address | null; resolver: Address | null }> {
    const [abi, viem] = [this.#abi, this.#viem];
    const [, node] = this.#encode(name);
    const data = viem.encodeFunctionData({ abi, functionName: "addr", args: [node] });
    const answer = await this.#ask(this.#resolve(name, data));
    if (!answer.ok) return { address: null, resolver: null };
    const [bytes, resolver] = viem.decodeFunctionResult({ abi, functionName: "resolve", data: answer.data });
    // An empty answer, or a word of zeros, means that no address is set.
    const address =
      bytes === "0x" ? ZERO_ADDRESS : viem.decodeFunctionResult({ abi, functionName: "addr", data: bytes });
    return { address: address === ZERO_ADDRESS ? null : address, resolver };
  }

  async texts<Key extends string>(name: string, keys: readonly Key[]): Promise<Records<Key>> {
    const [abi, viem] = [this.#abi, this.#viem];
    const [, node] = this.#encode(name);
    const questions = keys.map((key) =>
      this.#resolve(name, viem.encodeFunctionData({ abi, functionName: "text", args: [node, key] })),
    );
    const answers = await callContracts(
      this.#view,
      questions.map(({ plain }) => ({ to: UNIVERSAL_RESOLVER, data: plain })),
    );
    const texts = answers.map(async (answer, index) => {
      const question = questions[index];
      const final = saysOffchain(answer) && question ? await this.#askGateways(question) : answer;
      if (!final.ok) return null;
      // Some resolvers know only addresses, so an undecodable text counts as none.
      const text = decoded(() => {
        const [bytes] = viem.decodeFunctionResult({ abi, functionName: "resolve", data: final.data });
        return viem.decodeFunctionResult({ abi, functionName: "text", data: bytes });
      });
      return text || null;
    });
    const read = await Promise.all(texts);
    return Object.fromEntries(keys.map((key, index) => [key, read[index] ?? null])) as Records<Key>;
  }

  async primaryName(address: Address): Promise<{ name: string | null; resolver: Address | null }> {
    const [abi, viem] = [this.#abi, this.#viem];
    const args = [address, ETH_COIN_TYPE] as const;
    const answer = await this.#ask({
      plain: viem.encodeFunctionData({ abi, functionName: "reverse", args }),
      viaGateways: viem.encodeFunctionData({
        abi,
        functionName: "reverseWithGateways",
        args: [...args, OWN_GATEWAYS],
      }),
    });
    if (!answer.ok) return { name: null, resolver: null };
    const [name, resolver] = viem.decodeFunctionResult({ abi, functionName: "reverse", data: answer.data });
    return name ? { name, resolver } : { name: null, resolver: null };
  }

  #resolve(name: string, data: Hex): Question {
    const [abi, viem] = [this.#abi, this.#viem];
    const args = [this.#encode(name)[0], data] as const;
    return {
      plain: viem.encodeFunctionData({ abi, functionName: "resolve", args }),
      viaGateways: viem.encodeFunctionData({
        abi,
        functionName: "resolveWithGateways",
        args: [...args, OWN_GATEWAYS],
      }),
    };
  }

  /** Not ok if the resolver has no record; any other refusal is a failure. */
  async #ask(question: Question): Promise<CallOutcome> {
    const answer = await callContract(this.#view.client, { to: UNIVERSAL_RESOLVER, data: question.plain });
    if (saysOffchain(answer)) return this.#askGateways(question);
    if (answer.ok || saysNotSet(answer)) return answer;
    throw new CapabilityError("UPSTREAM_ERROR", "The universal resolver of ENS refused the question.");
  }

  async #askGateways({ viaGateways }: Question): Promise<CallOutcome> {
    const answer = await callContract(this.#view.viaGateway, { to: UNIVERSAL_RESOLVER, data: viaGateways });
    if (answer.ok || saysNotSet(answer)) return answer;
    throw new CapabilityError("UPSTREAM_ERROR", GATEWAY_FAILED);
  }
}

const saysNotSet = ({ data }: CallOutcome) => NOT_SET.has(data.slice(0, 10));
const saysOffchain = ({ ok, data }: CallOutcome) => !ok && data.startsWith(OFFCHAIN_LOOKUP);

const GATEWAY_FAILED = "The server that this name is resolved by could not be asked.";

interface GatewayRequest {
  data: Hex;
  sender: Address;
  urls: readonly string[];
}

/** The name's owner chose these addresses, so they are checked like a caller's. */
async function askGateways(ctx: Context, { urls, ...request }: GatewayRequest): Promise<Hex> {
  const failures: unknown[] = [];
  for (const template of urls.slice(0, MAX_GATEWAYS)) {
    try {
      const bytes = await askGateway(ctx, template, request);
      return gatewayAnswer().parse(JSON.parse(new TextDecoder().decode(bytes))).data as Hex;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new CapabilityError("UPSTREAM_ERROR", GATEWAY_FAILED, { cause: failures[0] });
}

/** EIP-3668: a template with a place for the data is a GET, any other a POST of sender and data. */
async function askGateway(
  ctx: Context,
  template: string,
  { sender, data }: Omit<GatewayRequest, "urls">,
): Promise<Uint8Array> {
  const url = template.replaceAll("{sender}", sender.toLowerCase());
  const accept = "application/json";
  if (url.includes("{data}")) {
    const fetched = await fetchOutbound(ctx, url.replaceAll("{data}", data), { maxBytes: MAX_GATEWAY_BYTES, accept });
    return fetched.bytes;
  }
  const { status, bytes } = await postOutbound(ctx, url, {
    headers: { "user-agent": browserAgent(ctx), "content-type": "application/json", accept },
    body: JSON.stringify({ data, sender: sender.toLowerCase() }),
    timeoutMs: GATEWAY_TIMEOUT_MS,
    maxBytes: MAX_GATEWAY_BYTES,
  });
  if (status !== 200) throw new CapabilityError("UPSTREAM_ERROR", `The gateway answered with status ${status}.`);
  return bytes;
}

const gatewayAnswer = lazySchema(() => z.object({ data: z.string().regex(/^0x([0-9a-fA-F]{2})*$/) }));
