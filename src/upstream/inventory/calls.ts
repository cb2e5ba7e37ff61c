/** Tells calls of an upstream apart: by method, path and the mark of an operation. */

export interface Request {
  method: string;
  url: URL;
  body?: string | undefined;
}

/** The mark that tells a call from others at its path: the method of JSON-RPC, or a parameter that names an operation. */
export function discriminator({ url, body }: Request): string | undefined {
  const sent = body === undefined ? undefined : parsed(body);
  if (Array.isArray(sent)) return `method=${[...new Set(sent.map((one) => one?.method))].sort().join("+")}`;
  if (typeof sent?.method === "string") return `method=${sent.method}`;
  if (typeof sent?.type === "string" && Object.keys(sent).length < 6) return `type=${sent.type}`;
  const action = url.searchParams.get("action");
  return action ? `action=${action}` : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isRpc = ({ body }: Request): boolean => body !== undefined && /"jsonrpc"/.test(body);

export const segmentsOf = (path: string): string[] => path.split("/").filter(Boolean);

export const literalsIn = (path: string) => segmentsOf(path).filter((segment) => segment !== "*").length;

export const fits = (template: string[], own: string[]): boolean =>
  template.length === own.length && template.every((segment, at) => segment === "*" || segment === own[at]);
