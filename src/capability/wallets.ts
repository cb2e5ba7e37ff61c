/** What a host says of the state that it keeps for wallets; the state itself is the matter of `state/`. */

/** The host's `pg` Pool, or anything that connects like one. */
export interface PostgresConnections {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
  on?(event: "error", listener: (error: Error) => void): unknown;
  /** How many connections it makes at most. Default 10, as for a Pool of pg. Wallets use half of them. */
  readonly options?: { readonly max?: number | undefined };
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

/** What of this host wallets may watch, and what that costs. */
export interface WatchOptions {
  /** False for what must not be watched. Default: all that has a fixed price of at most 0.01 USD and works without a wallet. */
  allow?(capability: { readonly id: string; readonly group: string }): boolean;
  /** What a poll beyond the first hundred costs, as a part of the endpoint's price, from 0 to 1. Default "0.1". */
  pollRate?: string;
  /** The shortest interval, 300 to 86,400. Default 300. */
  minSeconds?: number;
}

export interface WalletOptions {
  /** The host's `pg` Pool, for any number of processes. Default: embedded, in a folder of `dataDir`, for one process. */
  db?: PostgresConnections;
  /** The schema that holds the tables; created on first use. Default `coinslot_wallets`. */
  schema?: string;
  /** The folder of the embedded database. Default: `wallets` in the folder of bulk files. */
  dataDir?: string;
  limits?: Partial<WalletLimits>;
  /**
   * What callbacks are signed with: at least 32 characters that nobody guesses. While it is changed, a list whose first
   * makes new secrets and whose others still sign. Default: made once and kept in the database, whose readers could sign.
   */
  secret?: string | readonly string[];
  /**
   * Lets wallets see, take out and end what they have for free, once they sign in (the extension `sign-in-with-x` of
   * x402). Needs `brand.baseUrl`, the address that they sign in at. Default: where that is set.
   */
  signIn?: boolean;
  /**
   * Seals what wallets keep in the database with AES-256-GCM: 32 random bytes in base64, as `openssl rand -base64 32` gives
   * them. While it is changed, a list whose first writes and whose others still read, until rounds have sealed all with the
   * first: `handle.wallets.keys()` counts what needs which. What was there before is sealed, too, and then nothing in plain is
   * taken; so give the key to all processes at once. Names, documents, vectors and labels stay readable, because they are
   * searched. Default: nothing is encrypted.
   */
  encryption?: string | readonly string[];
  /** False where another process, or `handle.tick()`, sends callbacks. Default: this one does, except on Lambda and Workers. */
  runner?: boolean;
  /** Lets callbacks go to http, where everybody on the way can read them. Default: https, and hosts that `outbound` allows. */
  httpCallbacks?: boolean;
  watch?: WatchOptions;
}
