/**
 * The signature of an agent on its request: HTTP Message Signatures (RFC 9421) with the tag `web-bot-auth`. Parsed strictly
 * and within bounds. The signed bytes are composed of the address that the host's options name, so that a signature for
 * another host is refused.
 */

const TAG = "web-bot-auth";
/** In characters, of each of the three headers. */
const MOST = 4096;
const MOST_MEMBERS = 8;
const MOST_COMPONENTS = 16;

/** A part of the request that was signed. */
interface Component {
  name: string;
  /** The member of a dictionary that is meant. */
  key?: string;
  /** As it was written. */
  text: string;
}

export interface AgentSignature {
  components: readonly Component[];
  /** The signed parameters, as they were written. */
  parameters: string;
  created: number;
  expires: number;
  keyid: string;
  alg?: string;
  nonce?: string;
  signature: Uint8Array;
  /** The address in `Signature-Agent`. */
  agent: string;
}

export interface SignedRequest {
  method: string;
  /** The public address that was asked for. */
  url: URL;
  header(name: string): string | null;
}

/** The first signature of an agent; undefined if there is none that can be read. */
export function readSignature({ header }: SignedRequest): AgentSignature | undefined {
  const [inputs, signatures, agents] = ["signature-input", "signature", "signature-agent"].map((name) => {
    const text = header(name);
    return text === null || text.length > MOST ? undefined : text;
  });
  if (inputs === undefined || signatures === undefined || agents === undefined) return undefined;
  const members = membersOf(signatures);
  for (const [label, text] of membersOf(inputs)) {
    const read = inputOf(text);
    const signed = /^:([A-Za-z0-9+/]{86}==):$/.exec(members.get(label) ?? "")?.[1];
    if (read?.tag !== TAG || signed === undefined) continue;
    const agent = agentIn(agents, read.components);
    if (agent === undefined) continue;
    return { ...read, signature: Buffer.from(signed, "base64"), agent };
  }
  return undefined;
}

/** The bytes that were signed; undefined if they cannot be told from the request, or too little of it was signed. */
export function signedBytes(request: SignedRequest, { components, parameters }: AgentSignature): Buffer | undefined {
  const names = components.map(({ name }) => name);
  const isBound = names.includes("@authority") || names.includes("@target-uri");
  if (!isBound || !names.includes("signature-agent")) return undefined;
  const lines: string[] = [];
  for (const component of components) {
    const value = partOf(request, component);
    if (value === undefined) return undefined;
    lines.push(`${component.text}: ${value}`);
  }
  return Buffer.from([...lines, `"@signature-params": ${parameters}`].join("\n"));
}

function partOf({ method, url, header }: SignedRequest, { name, key }: Component): string | undefined {
  if (key !== undefined) return name === "signature-agent" ? membersOf(header(name) ?? "").get(key) : undefined;
  switch (name) {
    case "@authority":
      return url.host;
    case "@target-uri":
      return url.href;
    case "@method":
      return method;
    case "@path":
      return url.pathname;
    case "@query":
      return url.search || "?";
    default:
      return name.startsWith("@") ? undefined : header(name)?.trim();
  }
}

/** The members of a dictionary by their keys, as they were written. The last of equal keys counts. */
function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const part of partsOf(text).slice(0, MOST_MEMBERS)) {
    const at = part.indexOf("=");
    const key = part.slice(0, at).trim();
    if (at > 0 && /^[a-z*][a-z0-9_.*-]*$/.test(key)) members.set(key, part.slice(at + 1).trim());
  }
  return members;
}

/** Split at commas that stand in no string, in one pass whatever the text is. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [from, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === "\\") at++;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === "," && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

type SignatureInput = Omit<AgentSignature, "signature" | "agent"> & { tag: string };

/** `("@authority" "signature-agent";key="sig1");created=1;keyid="…"` */
function inputOf(text: string): SignatureInput | undefined {
  const [, list, rest] = /^\(([^()]*)\)((?:;[a-z*][a-z0-9_.*-]*=(?:-?\d{1,15}|"[^"\\]*"))*)$/.exec(text) ?? [];
  const components = list === undefined ? undefined : componentsOf(list);
  if (!components || rest === undefined) return undefined;
  const values = new Map<string, string>();
  for (const [, name = "", value = ""] of rest.matchAll(/;([^=]+)=("[^"]*"|-?\d+)/g)) values.set(name, value);
  const number = (name: string) => Number(/^\d+$/.exec(values.get(name) ?? "")?.[0] ?? Number.NaN);
  const string = (name: string) => /^"(.*)"$/.exec(values.get(name) ?? "")?.[1];
  const [created, expires, keyid, tag] = [number("created"), number("expires"), string("keyid"), string("tag")];
  if (Number.isNaN(created) || Number.isNaN(expires) || keyid === undefined || tag === undefined) return undefined;
  const [alg, nonce] = [string("alg"), string("nonce")];
  return {
    ...{ components, parameters: text, created, expires, keyid, tag },
    ...(alg === undefined ? {} : { alg }),
    ...(nonce === undefined ? {} : { nonce }),
  };
}

/** Undefined for what cannot be verified: unknown parameters, or a part that is named twice. */
function componentsOf(list: string): Component[] | undefined {
  const texts = list.split(" ").filter(Boolean);
  if (texts.length === 0 || texts.length > MOST_COMPONENTS || new Set(texts).size < texts.length) return undefined;
  const components = texts.map((text): Component | undefined => {
    const [, name, key] = /^"([@a-z0-9-]+)"(?:;key="([a-z*][a-z0-9_.*-]*)")?$/.exec(text) ?? [];
    return name === undefined ? undefined : { name, text, ...(key === undefined ? {} : { key }) };
  });
  return components.every((one) => one !== undefined) ? components : undefined;
}

/** The member that was signed, or in the older form the whole header: one string. */
function agentIn(header: string, components: readonly Component[]): string | undefined {
  const signed = components.find(({ name }) => name === "signature-agent");
  const text = signed?.key === undefined ? header.trim() : membersOf(header).get(signed.key);
  return /^(?:[a-z*][a-z0-9_.*-]*=)?"([^"\\]{1,2048})"$/.exec(text ?? "")?.[1];
}
