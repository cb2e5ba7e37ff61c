export interface FacilitatorOptions {
  url: string;
  /** Headers of each call, such as an authorization made anew every time. */
  headers?: (path: "verify" | "settle" | "supported") => Record<string, string> | Promise<Record<string, string>>;
  timeoutMs?: number;
}
export interface Facilitator {
  supported(): Promise<unknown>;
  verify(payload: unknown, requirements: unknown): Promise<unknown>;
  settle(payload: unknown, requirements: unknown): Promise<unknown>;
}
