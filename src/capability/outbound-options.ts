/** Rules for URLs that callers supply. */
export interface OutboundOptions {
  /** Host names that may be fetched whatever their addresses; `name:port` also opens a port other than 80 and 443. */
  allowHosts?: string[];
  /** Host names that are never fetched. A mounted service adds its own, so that no call loops back to it. */
  denyHosts?: string[];
  /** Allows every address, metadata services included. For tests and closed networks only. */
  allowPrivate?: boolean;
  /** Name resolution. Default: the system's. Every returned address is checked. */
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
  /** Asks the DNS for capabilities that read records. Default: Node's resolver; on Cloudflare Workers one over HTTPS. */
  resolve?: (
    name: string,
    type: "A" | "AAAA" | "MX" | "PTR" | "TXT",
  ) => Promise<(string | { preference: number; host: string })[]>;
}
