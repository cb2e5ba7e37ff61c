/**
 * A configuration file of `coinslot serve`: the options of `createHandler` by their names, and what a file alone has to say:
 * where to listen, which endpoints, which store, which endpoints are stopped.
 */
import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { AnyCapability } from "../../capability/types.js";
import { readGateway } from "../../gateway/file.js";
import type { Handler } from "../../handler/handler.js";
import { assertOverridesMounted, handlerOptions } from "../../host/option-checks.js";
import type { HandlerOptions } from "../../host/options.js";
import { byName, type Check, type ChecksOf, hidden, isPlainObject, listOf, shape } from "../../lib/options/check.js";
import { count, text } from "../../lib/options/kinds.js";
import { nearestOf } from "../../lib/options/nearest.js";
import { all } from "../catalogue.js";
import type { Env, StoreAddress } from "../settings.js";
import { readData } from "./data.js";
import { withSecrets } from "./secrets.js";
import { withAccounts } from "./wallets.js";

export const FILE = "coinslot.yaml";

type HostRules = Parameters<Handler["configure"]>[0];

/** Where the service listens, and what stands before it: as `serve` of `coinslot/node` has it. */
export interface Listen {
  port?: number;
  host?: string;
  trustProxyHops?: number;
  drainMs?: number;
}

/** Names that a file alone has. */
interface FileOptions {
  listen: Listen;
  capabilities: readonly string[];
  gateway: string;
  store: StoreAddress;
  stopped: Readonly<Record<string, string>>;
}

const address = hidden(
  "the address of a database, such as postgres://… or redis://…",
  (value) => typeof value === "string" && /^[a-z][a-z0-9+]*:\/\/\S+$/.test(value),
);
export const FILE_OPTIONS: ChecksOf<FileOptions> = {
  listen: shape<Listen>({
    port: count(0, 65_535),
    host: text("an address of this machine"),
    trustProxyHops: count(0, 100),
    drainMs: count(0, 3_600_000),
  }),
  capabilities: listOf(text('a group or an id, such as "convert" or "convert.unit"'), { least: 1, most: 1000 }),
  gateway: text("the path of a gateway's file"),
  store: shape<StoreAddress>({ postgres: address, redis: address, schema: text(), prefix: text() }),
  stopped: byName(text("a sentence for callers, of up to 500 characters", /^(?=.*\S)[^\p{Cc}]{1,500}$/u)),
};

/** Options that are functions or objects of a program. */
const IN_CODE = ["fetch", "clock", "logger", "onCall", "onDrift", "policy"];

export interface HostFile {
  file: string;
  listen: Listen;
  store: StoreAddress | undefined;
  /** Whether the state of wallets is kept in the store's database (`wallets: { db: store }`). */
  walletsInStore: boolean;
  /** For `createHandler`, but for the store. `payment` is absent where the file has none. */
  options: Omit<HandlerOptions, "payment" | "store"> & { payment?: HandlerOptions["payment"] };
  /** The part that can change while the host runs. */
  rules: Required<HostRules>;
  /** A name for each option that takes a restart to change. */
  fixed: ReadonlyMap<string, string>;
  /** A text without secrets of the file. */
  hide(text: string): string;
}

/** Rejects with a TypeError that names the file and the option, and shows no secret. */
export async function readHostFile(file: string, env: Env): Promise<HostFile> {
  const from = dirname(resolve(file));
  const { data, hide } = await withSecrets(await readData(file), { file, from, env });
  try {
    return { ...(await hostOf(data, { file, from, env })), hide };
  } catch (error) {
    // Without its cause, which may show what is hidden here.
    if (error instanceof Error) throw new TypeError(hide(startingWith(file, error.message)));
    throw error;
  }
}

const startingWith = (file: string, message: string) => (message.startsWith(file) ? message : `${file}: ${message}`);

async function hostOf(
  data: unknown,
  { file, from, env }: { file: string; from: string; env: Env },
): Promise<Omit<HostFile, "hide">> {
  if (!isPlainObject(data)) throw new TypeError("must have options by their names, such as brand: and payment:.");
  assertNames(data);
  const { listen = {}, capabilities, gateway, store, stopped = {}, ...rest } = data;
  for (const [name, check] of Object.entries<Check>(FILE_OPTIONS))
    if (data[name] !== undefined) check(name, data[name]);
  assertOneStore(store as StoreAddress | undefined);
  const sold = await soldBy({ capabilities, gateway } as Partial<FileOptions>, { from, env });
  const { pricing = {}, payers = {} } = rest as HostRules;
  const { walletsInStore, wallets } = walletsOf(rest.wallets, store as StoreAddress | undefined, env);
  const options = {
    ...rest,
    ...(wallets === undefined ? {} : { wallets }),
    capabilities: sold,
    payers,
    secrets: { ...env, ...secretsOf(rest.secrets) },
    ...(isPlainObject(rest.payment) ? { payment: await readPayment(rest.payment) } : {}),
  } as HostFile["options"];
  handlerOptions("", { payment: false, ...options });
  const mounted = new Map(sold.map((one) => [one.id, one]));
  assertOverridesMounted(pricing, mounted);
  const unknown = Object.keys(stopped as object).find((id) => !mounted.has(id));
  if (unknown !== undefined) throw new TypeError(`stopped: unknown capability "${unknown}". It is not mounted here.`);
  const { pricing: _, payers: __, ...others } = data;
  const { stopped: ___, ...fixed } = others;
  return {
    file,
    listen: listen as Listen,
    store: store as StoreAddress | undefined,
    walletsInStore,
    options,
    rules: { pricing, payers, stopped: stopped as FileOptions["stopped"] },
    fixed: new Map(Object.entries(fixed).map(([name, value]) => [name, digest(value)])),
  };
}

/** A misspelt name is told with the one that is meant, as `createHandler` tells it. */
function assertNames(data: object): void {
  const known = [...new Set([...Object.keys(handlerOptions.members ?? {}), ...Object.keys(FILE_OPTIONS)])]
    .filter((name) => !IN_CODE.includes(name))
    .sort();
  for (const name of Object.keys(data)) {
    if (known.includes(name)) continue;
    if (IN_CODE.includes(name)) throw new TypeError(`${name} is an option of a program: a file cannot have it.`);
    const nearest = nearestOf(name, known);
    const meant = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new TypeError(`Unknown option "${name}".${meant} Known: ${known.join(", ")}.`);
  }
}

function assertOneStore({ postgres, redis, schema, prefix }: StoreAddress = {}): void {
  if (postgres !== undefined && redis !== undefined)
    throw new TypeError("store must name postgres or redis, not both.");
  if (schema !== undefined && postgres === undefined) throw new TypeError("store.schema is one of postgres.");
  if (prefix !== undefined && redis === undefined) throw new TypeError("store.prefix is one of redis.");
}

/** The state of wallets in the database of the store, whose pool is opened later. */
function walletsOf(given: unknown, store: StoreAddress | undefined, env: Env) {
  if (!isPlainObject(given) || given.db !== "store") return { walletsInStore: false, wallets: given };
  if (store?.postgres === undefined && (store !== undefined || !env.DATABASE_URL))
    throw new TypeError("wallets.db is store, which must be Postgres then: set store.postgres or DATABASE_URL.");
  const { db: _, ...wallets } = given;
  return { walletsInStore: true, wallets };
}

function secretsOf(secrets: unknown): Record<string, unknown> {
  if (secrets === undefined) return {};
  if (!isPlainObject(secrets)) throw new TypeError("secrets must be an object of texts.");
  for (const [name, value] of Object.entries(secrets))
    if (typeof value !== "string") throw new TypeError(`secrets.${name} must be a text.`);
  return secrets;
}

/** All endpoints, those that are named by group or id, and those of a gateway. */
async function soldBy(
  { capabilities, gateway }: Partial<FileOptions>,
  { from, env }: { from: string; env: Env },
): Promise<AnyCapability[]> {
  const routes = gateway === undefined ? [] : (await readGateway(resolve(from, gateway), { env })).capabilities;
  const named = capabilities ?? (gateway === undefined ? ["all"] : []);
  const found = named.flatMap((name) => {
    const some = all.filter(({ id, group }) => name === "all" || id === name || group === name);
    if (some.length > 0) return some;
    const nearest = nearestOf(name, [...new Set(all.flatMap(({ id, group }) => [id, group]))]);
    const meant = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new TypeError(`capabilities: unknown group or endpoint "${name}".${meant}`);
  });
  return [...new Set([...found, ...routes])];
}

/** The headers of a facilitator are a function for a program, and texts in a file. */
async function readPayment(payment: Record<string, unknown>): Promise<unknown> {
  const { facilitator } = payment;
  const read = (one: unknown) =>
    isPlainObject(one) && isPlainObject(one.headers) ? { ...one, headers: headersOf(one.headers) } : one;
  const accounts = await withAccounts(payment);
  if (facilitator === undefined) return accounts;
  return { ...accounts, facilitator: Array.isArray(facilitator) ? facilitator.map(read) : read(facilitator) };
}

function headersOf(headers: Record<string, unknown>): () => Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (typeof value !== "string") throw new TypeError(`payment.facilitator.headers: ${name} must be a text.`);
  return () => ({ ...(headers as Record<string, string>) });
}

const digest = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
