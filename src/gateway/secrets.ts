/** Credentials of a gateway at its origin, which it tells to nobody else. */
import type { Context } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import type { ProxyCredential, SecretText } from "./options.js";
import { begunIn, type Forms, formsOf, shows } from "./shown.js";

type Host = Pick<Context, "secret">;

/** A name of a setting in a template. */
const PLACE = /\$\{([A-Za-z_]\w*)\}/g;
export interface Secrets {
  /** Names of the settings that it needs. */
  names: string[];
  headers(host: Host): Record<string, string>;
  query(host: Host): [string, string][];
  /** Whether a text or bytes contain one of them, as it is or as answers escape and encode it. */
  isIn(host: Host, answer: Uint8Array | string): boolean;
  /** How many of the last characters of a text may be the beginning of one. */
  begunIn(host: Host, text: string): number;
}

function templateOf(value: SecretText): { names: string[]; read(host: Host): string } {
  if (typeof value === "object" && "text" in value) return { names: [], read: () => value.text };
  const template = typeof value === "string" ? value : `\${${value.env}}`;
  const names = [...template.matchAll(PLACE)].map(([, name = ""]) => name);
  return { names, read: (host) => template.replace(PLACE, (_, name: string) => host.secret(name) ?? "") };
}

export function secretsOf(given: readonly ProxyCredential[]): Secrets {
  const parts = given.map((one) => {
    if ("basic" in one) {
      const [user, password] = [templateOf(one.basic.user), templateOf(one.basic.password)];
      const read = (host: Host) =>
        `Basic ${Buffer.from(`${user.read(host)}:${password.read(host)}`, "utf8").toString("base64")}`;
      return { place: "header", name: "authorization", from: [user, password], read } as const;
    }
    const template = templateOf(one.value);
    const at = "header" in one ? (["header", one.header.toLowerCase()] as const) : (["query", one.query] as const);
    return { place: at[0], name: at[1], from: [template], read: template.read } as const;
  });
  const names = [...new Set(parts.flatMap(({ from }) => from.flatMap((one) => one.names)))];
  const textsOf = (host: Host): string[] => {
    const settings = names.map((name) => host.secret(name) ?? "");
    const whole = parts.flatMap(({ read, from }) => [read(host), ...from.map((one) => one.read(host))]);
    // A token is secret without its scheme, too: "Bearer", "Basic".
    const tokens = whole.map((text) => text.replace(/^\S+ /, ""));
    return [...settings, ...whole, ...tokens].map((text) => text.trim());
  };
  let known: { of: string; forms: Forms } | undefined;
  const forms = (host: Host): Forms => {
    const texts = textsOf(host);
    const of = JSON.stringify(texts);
    if (known?.of !== of) known = { of, forms: formsOf(texts) };
    return known.forms;
  };
  return {
    names,
    headers: (host) =>
      Object.fromEntries(
        parts.filter(({ place }) => place === "header").map(({ name, read }) => [name, headerText(read(host))]),
      ),
    query: (host) => parts.filter(({ place }) => place === "query").map(({ name, read }) => [name, read(host).trim()]),
    isIn: (host, answer) => parts.length > 0 && shows(answer, forms(host)),
    begunIn: (host, text) => begunIn(text, forms(host)),
  };
}

/** A file ends with a line break, which no header may hold. The text itself is told to nobody. */
function headerText(given: string): string {
  const text = given.trim();
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "The credentials of this endpoint's source cannot be sent.");
}
