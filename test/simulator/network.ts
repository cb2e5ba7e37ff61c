/** The way from a process to others: slow, cut by the caller's deadline, and the moment at which the process may die. */
import { type Chain, withResolvers } from "./chain.js";
import type { Reply } from "./facilitator.js";
import { never, type Process } from "./process.js";
import type { Random } from "./random.js";
import type { Timeline } from "./timeline.js";

/** Sends one request, which `ask` answers. */
export async function sendFrom(
  process: Process,
  path: string,
  { signal, ask }: { signal: AbortSignal | null | undefined; ask(): Promise<Reply> },
): Promise<Response> {
  const aborted = withResolvers<never>();
  const onAbort = () => aborted.reject(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const reply = await Promise.race([ask(), aborted.promise]);
    await process.gap(`answer to ${path}`);
    const bytes = new TextEncoder().encode(reply.text);
    return {
      status: reply.status,
      ok: reply.status < 300,
      headers: new Headers(),
      body: [bytes],
    } as unknown as Response;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

interface Nodes {
  chain: Chain;
  random: Random;
  timeline: Timeline;
  troubles: { rpc: number; rpcLag: number; rpcForgets: number };
}

/** How a node is at the moment of a question: silent, behind, or without its logs. */
export async function nodeOf({ random, timeline, troubles }: Nodes): Promise<{ lagMs: number; forgets: boolean }> {
  await timeline.sleep(random.int(1, 100));
  if (random.chance(troubles.rpc)) return random.chance(0.3) ? never() : Promise.reject(new TypeError("fetch failed"));
  const lagMs = random.chance(troubles.rpcLag) ? random.pick([6000, 6000, 90_000]) : 0;
  return { lagMs, forgets: random.chance(troubles.rpcForgets) };
}

export const rpcReply = (result: unknown): Reply => ({
  status: 200,
  text: JSON.stringify({ jsonrpc: "2.0", id: 1, result }),
});
