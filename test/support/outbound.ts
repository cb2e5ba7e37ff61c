import type { OutboundOptions } from "../../src/capability/outbound-options.js";
import type { Logger } from "../../src/lib/logger.js";
import type { OutboundContext } from "../../src/upstream/outbound/outbound.js";

/** Answers by name, each a list of addresses; a list of lists is given out one after the other, the last again. */
export type Script = Record<string, string[] | string[][]>;

const PUBLIC = "93.184.215.14";
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A resolver that follows a script and notes what it was asked; without a script every name is public. */
export function scriptedLookup(script?: Script) {
  const asked: string[] = [];
  const lookup: OutboundOptions["lookup"] = async (host) => {
    asked.push(host);
    const answers = script ? nextAnswer(script[host], asked.filter((name) => name === host).length) : [PUBLIC];
    if (!answers) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
    return answers.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { lookup, asked };
}

function nextAnswer(answers: string[] | string[][] | undefined, turn: number): string[] | undefined {
  const [first] = answers ?? [];
  if (!Array.isArray(first)) return answers as string[] | undefined;
  return (answers as string[][]).at(Math.min(turn, answers?.length ?? 0) - 1);
}

export interface SeenRequest {
  url: string;
  init: RequestInit;
}

/** An injected fetch that answers with `respond` and notes each request. */
export function recordingFetch(respond: (url: string, turn: number) => Response | Promise<Response>) {
  const seen: SeenRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    seen.push({ url: String(input), init });
    return respond(String(input), seen.length);
  };
  return { fetch, seen };
}

const noNetwork: typeof globalThis.fetch = async () => {
  throw new Error("This test has no network.");
};

export function outboundContext(options: Partial<OutboundContext> = {}): OutboundContext {
  const signal = new AbortController().signal;
  return {
    fetch: noNetwork,
    injectedFetch: true,
    signal,
    logger: silent,
    outbound: {},
    userAgent: "Coinslot",
    ...options,
  };
}
