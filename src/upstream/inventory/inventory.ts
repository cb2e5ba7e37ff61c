/**
 * Keys that the objects of an upstream's answers are known to have, whether a result reads them or not. They tell an
 * absence, which is a fact of the record, from a new name, which would make a fact vanish in silence.
 */
import type { CallKeys, Provider } from "../../capability/provider.js";
import { discriminator, fits, isRpc, literalsIn, type Request, segmentsOf } from "./calls.js";
import type { TypeLetter } from "./paths.js";

export interface CallInventory {
  method: string;
  host?: string | undefined;
  path: string;
  by?: string | undefined;
  objects: ReadonlyMap<string, KnownObject>;
}

export interface KnownObject {
  /** Keys that a result reads. */
  read: ReadonlyMap<string, ReadKey>;
  /** All keys, read or not. */
  known: ReadonlySet<string>;
}

export interface ReadKey {
  /** Types that its values had. */
  types: ReadonlySet<TypeLetter>;
  /** Whether records often lack it. */
  rare: boolean;
  /** Whether nearly all records have it. */
  steady: boolean;
}

/** Reads a generated file. */
const readInventory = (stored: readonly CallKeys[]): CallInventory[] =>
  stored.map(({ objects, ...call }) => ({ ...call, objects: new Map(objects.split("\n").map(readObject)) }));

function readObject(line: string): [string, KnownObject] {
  const [path = "", read = "", others = ""] = line.split("\t");
  const keys = split(read).map((one): [string, ReadKey] => {
    const [, name = "", mark, letters = ""] = /^(.*?)([?!])? (\w*)$/.exec(one) ?? [];
    return [name, { types: new Set(letters as Iterable<TypeLetter>), rare: mark === "?", steady: mark === "!" }];
  });
  return [path, { read: new Map(keys), known: new Set([...keys.map(([name]) => name), ...split(others)]) }];
}

const split = (text: string): string[] => text.split("|").filter(Boolean);

/** The inventory of a request's call; undefined if nobody has seen its answers. */
function findCall(calls: readonly CallInventory[], request: Request): CallInventory | undefined {
  const by = discriminator(request);
  const same = calls.filter((call) => call.method === request.method && call.by === by);
  // Which node answers JSON-RPC is a matter of settings.
  if (isRpc(request)) return same[0];
  const { host, pathname } = request.url;
  const own = segmentsOf(pathname);
  const [found] = same
    .filter((call) => fits(segmentsOf(call.path), own) && (call.host ?? host) === host)
    .sort((a, b) => literalsIn(b.path) - literalsIn(a.path));
  return found;
}

/** Inventories by the generated list that they were read from. */
const read = /* @__PURE__ */ new WeakMap<readonly CallKeys[], CallInventory[]>();

/** The inventory of a call of a provider; undefined if it has none. */
export async function inventoryOf(
  { inventory }: Pick<Provider, "inventory">,
  request: Request,
): Promise<CallInventory | undefined> {
  if (!inventory) return undefined;
  const stored = (await inventory()).inventory;
  const calls = read.get(stored) ?? readInventory(stored);
  read.set(stored, calls);
  return findCall(calls, request);
}
