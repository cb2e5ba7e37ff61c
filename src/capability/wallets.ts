/** A host's options for the state of wallets; `state/` implements it. */

/** The host's `pg` Pool, or an object with the same methods. */
export interface PostgresConnections {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(): Promise<PostgresConnection>;
  on?(event: "error", listener: (error: Error) => void): unknown;
  /** Largest number of connections. Default 10, as for a Pool of pg. Wallets use half of them. */
  readonly options?: { readonly max?: number | undefined };
}

export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Returns the connection to the pool, or closes it if an error is given. */
  release(error?: Error | boolean): void;
}

/** Quota of one wallet. */
export interface WalletLimits {
  /** Total size in bytes; each object counts with its names and 200 bytes of overhead. Default 52,428,800. */
  bytes: number;
}

/** Capabilities that wallets may watch, and the price of a poll. */
export interface WatchOptions {
  /**
   * False refuses to watch a capability. Default: capabilities with a fixed price of at most 0.01 USD that need no
   * wallet.
   */
  allow?(capability: { readonly id: string; readonly group: string }): boolean;
  /** Price of each poll after the first hundred, as a fraction of the endpoint's price, from 0 to 1. Default "0.1". */
  pollRate?: string;
  /** Shortest interval in seconds, 300 to 86,400. Default 300. */
  minSeconds?: number;
}

export interface WalletOptions {
  /**
   * The host's `pg` Pool, shared by any number of processes. Default: an embedded database in a folder of `dataDir`,
   * for one process.
   */
  db?: PostgresConnections;
  /** The schema that holds the tables, created on first use. Default `coinslot_wallets`. */
  schema?: string;
  /** The folder of the embedded database. Default: `wallets` in the folder of bulk files. */
  dataDir?: string;
  limits?: Partial<WalletLimits>;
  /**
   * Secret that signs callbacks: at least 32 random characters. To rotate it, pass a list: the first creates new
   * signing secrets, the others still sign. Default: created once and kept in the database, so everyone who reads the
   * database can sign.
   */
  secret?: string | readonly string[];
  /**
   * Lets wallets list, export and delete their data for free after they sign in (the x402 extension `sign-in-with-x`).
   * Needs `brand.baseUrl`, the address that wallets sign in to. Default: on if `brand.baseUrl` is set.
   */
  signIn?: boolean;
  /**
   * Key that encrypts wallets' content in the database with AES-256-GCM: 32 random bytes in base64, as `openssl rand
   * -base64 32` prints them. To rotate it, pass a list: the first encrypts, the others still decrypt, until background
   * rounds have encrypted everything with the first; `handle.wallets.keys()` counts the rows of each key. Rows written
   * before a key was set are encrypted, too, after which plain text is refused, so give the key to all processes at
   * once. Names, documents, vectors and labels stay readable, because they are searched. Default: nothing is encrypted.
   */
  encryption?: string | readonly string[];
  /**
   * False if another process, or `handle.tick()`, sends callbacks. Default: this process sends them, except on Lambda
   * and Workers.
   */
  runner?: boolean;
  /**
   * Allows callbacks to http addresses, which everyone on the way can read. Default: https only, and hosts that
   * `outbound` allows.
   */
  httpCallbacks?: boolean;
  watch?: WatchOptions;
}

/** How a call uses the state of the wallet that pays for it. */
export interface WalletUse {
  /** True if it changes state: its payment is settled before it runs. */
  effects?: boolean;
  /** True if a signed-in wallet may call it for free: reading, exporting and deleting one's own data costs nothing. */
  signIn?: boolean;
  /** True if it creates callbacks, which the host has to send later. */
  callsBack?: boolean;
}

/** The wallet that a call works for, as its payment proves. */
export interface WalletCall {
  /** A CAIP-10 account, `eip155:8453:0x…` in lower case or `solana:…:Base58`; or the name that trusted code passed. */
  readonly id: string;
  /** Id of this call: work under one id is done once. Absent in-process, where every call is a new one. */
  readonly callId?: string;
  /** Id of the account's key that calls, where one does. */
  readonly key?: string;
  /** True for a trial: it works on sample data, is rolled back, and sends nothing. */
  readonly trial?: boolean;
  /** True if nobody paid: the call writes nothing for a wallet that has no data here. */
  readonly free?: boolean;
}
