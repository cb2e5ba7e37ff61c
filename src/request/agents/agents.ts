/**
 * The agent that signed a request (Web Bot Auth): an identity for the host's policy, login and events, and never a
 * permission to spend by itself. A request whose signature is wrong, old or was seen before is one of nobody.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import type { Host } from "../../host/host.js";
import { type Call, publicPrefix } from "../call.js";
import type { LazyRequest } from "../http/exchange.js";
import { createDirectories, type Directories } from "./directory.js";
import { type AgentSignature, readSignature, type SignedRequest, signedBytes } from "./signature.js";

/** Clocks may be apart by so much. */
const AHEAD_SECONDS = 60;
/** The longest life of a signature, and so of its row in the store. */
const MOST_SECONDS = 24 * 3600;
/** Of the keys of older agents, below their own origin. */
const WELL_KNOWN = "/.well-known/http-message-signatures-directory";

const directories = /* @__PURE__ */ new WeakMap<Host, Directories>();
const told = /* @__PURE__ */ new WeakMap<LazyRequest, Promise<string | undefined>>();

/** The key directory of the agent that signed the caller's request; undefined for anybody else. */
export function agentOf(call: Call): Promise<string | undefined> {
  // The calls of one request, such as tools', are its agent's: its nonce is used once.
  const known = told.get(call.caller) ?? proven(call);
  told.set(call.caller, known);
  return known;
}

async function proven(call: Call): Promise<string | undefined> {
  const { host } = call;
  const request = requestOf(call);
  const sent = readSignature(request);
  const directory = sent && listed(host, sent.agent);
  if (!sent || !directory || !isTimely(sent, host.now() / 1000)) return undefined;
  const bytes = signedBytes(request, sent);
  if (!bytes || sent.nonce === undefined || (sent.alg !== undefined && sent.alg !== "ed25519")) return undefined;
  const keys = directories.get(host) ?? createDirectories(host);
  directories.set(host, keys);
  const x = await keys.keyOf(directory, sent.keyid);
  if (x === undefined || !isSigned(bytes, x, sent.signature)) return undefined;
  return (await isFirst(host, sent)) ? directory : undefined;
}

/** The address as callers know it comes from the host's options. */
function requestOf({ host, info, caller }: Call): SignedRequest {
  const { pathname, search } = caller.url;
  const { baseUrl = "" } = host.brand;
  const url = new URL(publicPrefix({ host, info }) + pathname + search, baseUrl);
  return { method: caller.method, url, header: (name) => caller.headers.get(name) };
}

/** The host's own spelling of a directory that it lists. */
function listed({ options }: Host, agent: string): string | undefined {
  const urls = [agent, `${agent.replace(/\/$/, "")}${WELL_KNOWN}`].map(hrefOf);
  return options.agents?.directories.find((one) => urls.includes(new URL(one).href));
}

const hrefOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).href : undefined);

const isTimely = ({ created, expires }: AgentSignature, now: number): boolean =>
  created <= now + AHEAD_SECONDS && expires > now && expires - created <= MOST_SECONDS && expires > created;

function isSigned(bytes: Buffer, x: string, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, bytes, key, signature);
}

/** Over all instances. Without the store's answer it is nobody's. */
async function isFirst(host: Host, { keyid, nonce, expires }: AgentSignature): Promise<boolean> {
  const name = createHash("sha256").update(`${keyid} ${nonce}`).digest("hex");
  const ttlMs = Math.ceil((expires + AHEAD_SECONDS) * 1000 - host.now());
  const options = { ifVersion: 0, ttlMs };
  return (await host.store.put(`agent-nonce:${name}`, "", options).catch(() => undefined)) !== undefined;
}
