/**
 * Signing keys of callbacks: one secret for each receiver, and one key of the host, all derived from a master secret.
 */
import { createPrivateKey, createPublicKey, hkdfSync, randomBytes, sign } from "node:crypto";
import { z } from "zod";
import type { WalletOptions } from "../../capability/wallets.js";
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";
import { DAY_MS } from "../../lib/time.js";
import { type Database, rowsOf } from "../database/database.js";
import { ifReadable, type RowKey } from "../database/encryption.js";

const library = /* @__PURE__ */ lazy(() => import("standardwebhooks").catch(without("standardwebhooks")).then(named));

/** How long the former secret signs in addition to a new one. */
export const ROTATION_MS = DAY_MS;

/** The receiver that owns a secret. */
export interface Receiver {
  callback: string;
  secretVersion: number;
  /** Time of the last rotation. */
  rotatedAt: Date | null;
}

export interface Message {
  id: string;
  /** Time of this attempt. */
  sentAt: Date;
  body: string;
}

export interface Keys {
  /** The receiver's secret: `whsec_…`. */
  secretOf(receiver: Pick<Receiver, "callback" | "secretVersion">): string;
  /** The public keys: `whpk_…`. The first is permanent, the others sign as long as their master secret is listed. */
  readonly publicKeys: readonly [string, ...string[]];
  /** The headers of Standard Webhooks. */
  headersFor(receiver: Receiver, message: Message): Promise<Record<string, string>>;
}

/**
 * The master secrets: the host's own, or one that is created once and kept beside the state. `told` is called if a
 * stored one cannot be decrypted.
 */
export function openKeys(
  database: Database,
  { secret }: Pick<WalletOptions, "secret">,
  told?: (error: Error) => void,
): Promise<Keys> {
  if (secret !== undefined) return Promise.resolve(keysOf([secret].flat()));
  const known = kept.get(database) ?? keptKeys(database, told);
  kept.set(database, known);
  known.catch(() => kept.delete(database));
  return known;
}

/** Loaded once, because the embedded database cannot run another query during a transaction. */
const kept = /* @__PURE__ */ new WeakMap<Database, Promise<Keys>>();

/** For the log, if a stored secret cannot be decrypted. */
export const SECRET_UNREADABLE =
  "callbacks: a stored signing secret cannot be decrypted, so that another one signs; list its key in wallets.encryption";

const MASTER = "callback secret";
const MAX_MASTERS = 20;
const placeOf = (name: string): RowKey => ["settings", "value", name];
const masterRow = z.object({ name: z.string(), value: z.string() });

/**
 * If the stored secret cannot be decrypted, another is created; the old one signs, too, once its key is listed again.
 */
async function keptKeys(database: Database, told?: (error: Error) => void): Promise<Keys> {
  const { encryption } = database;
  for (let made = 0; made < MAX_MASTERS; made++) {
    const text = `select name, value from @settings where name like '${MASTER}%' order by length(name) desc, name desc`;
    const rows = await rowsOf(database, masterRow, text, []);
    // guard: wallets: a lost secret of callbacks stops nobody | without ifReadable | set-aside
    const open = rows.map(({ name, value }) => ifReadable(() => encryption.decrypt(placeOf(name), value), told));
    const masters = open.filter((master) => master !== undefined);
    if (masters.length > 0) return keysOf(masters);
    const name = rows.length === 0 ? MASTER : `${MASTER} ${rows.length + 1}`;
    await database.query("insert into @settings (name, value) values ($1, $2) on conflict do nothing", [
      name,
      encryption.encrypt(placeOf(name), randomBytes(32).toString("base64")),
    ]);
  }
  throw new Error("the callbacks' secret was written, and is not there");
}

/** Those of given master secrets, of which the first signs for good. */
export function keysOf(masters: readonly string[]): Keys {
  const hosts = masters.map((master) => hostKey(derive(master, "host key 1")));
  const [first, ...others] = hosts.map(({ publicKey }) => publicKey);
  if (first === undefined) throw new TypeError("wallets.secret must have at least one secret.");
  const secretsOf = (callback: string, version: number) =>
    masters.map((master) => `whsec_${derive(master, `callback ${callback} ${version}`).toString("base64")}`);

  return {
    secretOf: ({ callback, secretVersion }) => secretsOf(callback, secretVersion)[0] ?? "",
    publicKeys: [first, ...others],
    async headersFor({ callback, secretVersion, rotatedAt }, { id, sentAt, body }) {
      const { Webhook } = await library();
      const inRotation = rotatedAt !== null && sentAt.getTime() - rotatedAt.getTime() < ROTATION_MS;
      const versions = inRotation ? [secretVersion, secretVersion - 1] : [secretVersion];
      const secrets = versions.flatMap((version) => secretsOf(callback, version));
      const seconds = Math.floor(sentAt.getTime() / 1000);
      const signatures = [
        ...secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)),
        ...hosts.map((host) => `v1a,${host.sign(`${id}.${seconds}.${body}`)}`),
      ];
      return {
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signatures.join(" "),
      };
    },
  };
}

const derive = (master: string, info: string): Buffer => Buffer.from(hkdfSync("sha256", master, "", info, 32));

/** DER prefix of the 32 bytes of an ed25519 key: of a private key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

function hostKey(seed: Buffer): { publicKey: string; sign(text: string): string } {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    publicKey: `whpk_${raw.toString("base64")}`,
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}

const seenRow = z.object({ value: z.string() });

/** The document of public keys, each with the time when this database first used it. */
export async function publishedKeys(database: Database, keys: Keys, now: Date) {
  const since = async (publicKey: string) => {
    const name = `key ${publicKey}`;
    const noted = "insert into @settings (name, value) values ($1, $2) on conflict do nothing";
    await database.query(noted, [name, now.toISOString()]);
    const [row] = await rowsOf(database, seenRow, "select value from @settings where name = $1", [name]);
    return { publicKey, since: row?.value ?? now.toISOString() };
  };
  return { keys: await Promise.all(keys.publicKeys.map(since)) };
}
