/** Requests of the owner of an account. Key and session are kept in this page alone, and gone when it is left. */

export interface AccountSettings {
  base: string;
  name: string;
  accountKeys: boolean;
  /** Whether wallets may sign in: of networks of the EVM, and of Solana. */
  ownSignIn: boolean;
  solanaSignIn: boolean;
  /** Whether a bought balance is lost when the account is closed. */
  forfeits: boolean;
  /** Whether invoices are issued of what is bought. */
  invoices: boolean;
  groups: string[];
}

export const host: AccountSettings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

let bearer = "";

export function enter(token: string): void {
  bearer = token;
}

/** A refusal, in the words of the service. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export async function sent(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const own: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {};
  const type: Record<string, string> = body ? { "content-type": "application/json" } : {};
  return fetch(`${host.base}/account/${path}`, {
    method,
    headers: { ...own, ...type, ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
    credentials: "omit",
    cache: "no-store",
  }).catch(() => {
    throw new Refused("No answer came: the network or the service is unavailable.", 0);
  });
}

export async function asked(method: string, path: string, body?: object): Promise<Response> {
  const response = await sent(method, path, body);
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Refused(problem.detail ?? `The service answered ${response.status}.`, response.status);
}

export const ask = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await asked(method, path, body)).json() as Promise<T>;

export const textOfError = (error: unknown): string => {
  const message = typeof error === "string" ? error : (error as { message?: unknown } | null)?.message;
  return typeof message === "string" && message !== "" ? message : "The wallet gave no reason.";
};
