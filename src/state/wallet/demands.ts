/** The conditions of a write: the version that it replaces, and the lock that its writer holds. */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { WriteOptions } from "./fields.js";
import { putLock } from "./lock-rows.js";
import { NAMES, type ObjectKind } from "./objects.js";
import type { WriteScope } from "./scope.js";

export type Refusal = { reason: "version" | "fenced" };

/** Why a write is refused, checked under the wallet's lock. `version` is 0 for a missing object. */
async function objectionTo(
  scope: WriteScope,
  version: number,
  { ifVersion, fence }: Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<Refusal | undefined> {
  if (ifVersion !== undefined && ifVersion !== version) return { reason: "version" };
  // guard: wallets: a write under a lock that is lost is refused | always | lock
  if (!fence) return undefined;
  await scope.sample?.(putLock);
  const { rows } = await scope.query(
    "select from @locks where wallet = $1 and key = $2 and fencing = $3::bigint and token_hash is not null and expires_at > $4",
    [scope.wallet, fence.key, fence.fencingToken, scope.now],
  );
  return rows.length > 0 ? undefined : { reason: "fenced" };
}

const standingRow = z.object({ bytes: z.int(), version: z.number(), lives: z.boolean() });

/** The row under a name, even an expired one, whose size is released by its deletion. */
async function currentVersion(scope: WriteScope, kind: ObjectKind, [ns, name]: [string, string]) {
  const text = `select bytes, version::float8 as version, expires_at > $4 as lives
    from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3`;
  const [found] = await rowsOf(scope, standingRow, text, [scope.wallet, ns, name, scope.now]);
  return { bytes: found?.bytes ?? 0, version: found?.lives ? found.version : 0 };
}

/** Why a write is refused, and the version that prevents it. */
export async function refusalOf(
  scope: WriteScope,
  version: number,
  demands: Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<({ stored: false; version?: number } & Refusal) | undefined> {
  const refused = await objectionTo(scope, version, demands);
  return refused && { stored: false, ...refused, ...(version > 0 ? { version } : {}) };
}

export const hasDemands = ({ ifVersion, fence }: Pick<WriteOptions, "ifVersion" | "fence">): boolean =>
  ifVersion !== undefined || fence !== undefined;

/** The same for the object under a name, which is looked at only if a write makes demands. */
export async function refusalAt(
  scope: WriteScope,
  kind: ObjectKind,
  name: [ns: string, name: string],
  demands: Pick<WriteOptions, "ifVersion" | "fence">,
) {
  if (!hasDemands(demands)) return undefined;
  return refusalOf(scope, (await currentVersion(scope, kind, name)).version, demands);
}

export type Deleted = { deleted: boolean } & Partial<Refusal>;

/** Deletes an object if the conditions are met; a missing one is not an error. */
export async function removeObject(
  scope: WriteScope,
  kind: ObjectKind,
  name: [ns: string, name: string],
  demands: Pick<WriteOptions, "ifVersion" | "fence"> = {},
): Promise<Deleted> {
  const before = await currentVersion(scope, kind, name);
  const refused = await objectionTo(scope, before.version, demands);
  if (refused) return { deleted: false, ...refused };
  await scope.query(`delete from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3`, [
    scope.wallet,
    ...name,
  ]);
  scope.grow(-before.bytes);
  return { deleted: before.version > 0 };
}
