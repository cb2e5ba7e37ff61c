/** What a host says of the state that it keeps for wallets; the state itself is the matter of `wallet/`. */

/** The host's `pg` Pool, or anything that connects like one. */
export interface PostgresConnections {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives it back to the pool, or, with an error, ends it. */
  release(error?: Error | boolean): void;
}

/** How much one wallet may have. */
export interface WalletLimits {
  /** Over all that it keeps; each thing counts with its names and 200 bytes of its own. Default 52,428,800. */
  bytes: number;
}

export interface WalletOptions {
  /** The host's `pg` Pool, for any number of processes. Default: embedded, in a folder of `dataDir`, for one process. */
  db?: PostgresConnections;
  /** The schema that holds the tables; created on first use. Default `coinslot_wallets`. */
  schema?: string;
  /** The folder of the embedded database. Default: `wallets` in the folder of bulk files. */
  dataDir?: string;
  limits?: Partial<WalletLimits>;
}
