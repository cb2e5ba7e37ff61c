/**
 * Opens the database of the state of wallets on first use, once for each location. Database packages are loaded only
 * then.
 */
import { join } from "node:path";
import { defaultDataDir } from "../../capability/context.js";
import { walletOptions } from "../../capability/option-checks.js";
import type { WalletOptions } from "../../capability/wallets.js";
import type { Resources } from "../../lib/resources.js";
import type { Database, Driver, Statements } from "./database.js";
import { createEncryption, type Encryption } from "./encryption.js";

export const DEFAULT_SCHEMA = "coinslot_wallets";

export interface DatabaseLocation {
  wallets: WalletOptions;
  dataDir?: string | undefined;
  resources: Resources;
}

/** Rejects with PROVIDER_NOT_CONFIGURED if a package is missing or another process holds the folder. */
export function openWallets({ wallets, dataDir = defaultDataDir(), resources }: DatabaseLocation): Promise<Database> {
  walletOptions("wallets", wallets);
  const { db, schema = DEFAULT_SCHEMA } = wallets;
  const folder = wallets.dataDir ?? join(dataDir, "wallets");
  const encryption = encryptionOf(wallets);
  const name = `wallets ${db ? `pool ${numberOf(db)}` : folder} ${schema} ${encryption.id}`;
  return resources.use(
    name,
    async () => {
      const [{ openDatabase }, { openSealing }, driver] = await Promise.all([
        import("./database.js"),
        import("./encrypt-anew.js"),
        db ? onPool(db) : onFolder(folder),
      ]);
      try {
        const database = await openDatabase(driver, schema, encryption);
        await openSealing(database);
        return database;
      } catch (error) {
        await driver.close();
        throw error;
      }
    },
    (database) => database.close(),
  );
}

/** For payments kept in the same database, in tables that `makeTables` creates if they are missing. */
export async function openForPayments(
  location: DatabaseLocation,
  makeTables: (db: Statements) => Promise<void>,
): Promise<Database> {
  const [{ openPaymentsSealing }, database] = await Promise.all([import("./encrypt-anew.js"), openWallets(location)]);
  // guard: wallets: the tables of payments are there before they are looked through | gone | encryption
  await makeTables(database.urgent);
  await openPaymentsSealing(database);
  return database;
}

const encryptionOf = ({ encryption = [] }: WalletOptions): Encryption =>
  createEncryption([encryption].flat().map((key) => Buffer.from(key, "base64")));

const onPool = async (pool: NonNullable<WalletOptions["db"]>): Promise<Driver> =>
  (await import("./postgres.js")).postgresDriver(pool);

const onFolder = async (folder: string): Promise<Driver> => (await import("./embedded/database.js")).openFolder(folder);

/** Pools have no names of their own. */
const numbers = /* @__PURE__ */ new WeakMap<object, number>();
let pools = 0;

function numberOf(pool: object): number {
  const number = numbers.get(pool) ?? ++pools;
  numbers.set(pool, number);
  return number;
}
