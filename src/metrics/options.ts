/** Who reads the measurements of a host, and where. */
export interface MetricsOptions {
  /**
   * A scraper sends it as `Authorization: Bearer …`; at least 16 characters. Without one the page answers only callers
   * whose address is of this machine or a private network, and is not found by all others.
   */
  token?: string;
  /** Where the page is. Default `<basePath>/metrics`; at a port of its own `/metrics`. */
  path?: string;
  /** Serves the page at a port of its own and nowhere else. Node alone. */
  port?: number;
  /** The address that the port listens at. Default `127.0.0.1`. */
  address?: string;
}

export const isToken = (value: unknown): boolean => typeof value === "string" && /^[\x21-\x7e]{16,}$/.test(value);
