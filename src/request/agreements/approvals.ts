/**
 * Purchases that a person has to agree to, in the stateless era: the client carries the question's state, sealed by the
 * service, to the instance that gets the answer. Each agreement is for one call, one price and a few minutes.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Host } from "../../host/host.js";
import { MINUTE_MS } from "../../lib/time.js";
import { storeSecret } from "../../stores/secret.js";

const LIFE_MS = 10 * MINUTE_MS;
const MOST_LENGTH = 1000;

const claims = z.object({ usd: z.string(), expires: z.number(), once: z.string() });

export interface Approvals {
  /** The state of a question about a call, named by all that decides what is bought and who pays. */
  ask(call: string, usd: string): Promise<string>;
  /** The price that was asked about; undefined for a state that is another call's, too old, or used. */
  used(state: string, call: string): Promise<string | undefined>;
}

export function createApprovals({ store, now }: Pick<Host, "store" | "now">): Approvals {
  const sealOf = async (text: string, call: string): Promise<Buffer> =>
    createHmac("sha256", await storeSecret(store))
      .update(`mcp approval ${createHash("sha256").update(call).digest("hex")} ${text}`)
      .digest();

  return {
    async ask(call, usd) {
      const facts = { usd, expires: now() + LIFE_MS, once: randomUUID() };
      const text = Buffer.from(JSON.stringify(facts)).toString("base64url");
      return `${text}.${(await sealOf(text, call)).toString("base64url")}`;
    },
    async used(state, call) {
      const [text = "", sent = ""] = state.slice(0, MOST_LENGTH).split(".");
      const [seal, given] = [await sealOf(text, call), Buffer.from(sent, "base64url")];
      // guard: MCP: an agreement is for the call that was asked about | gone | mcp/approval
      if (given.length !== seal.length || !timingSafeEqual(given, seal)) return undefined;
      const { usd, expires, once } = claims.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
      // guard: MCP: an agreement ends | gone | mcp/approval
      if (expires <= now()) return undefined;
      const taken = await store.put(`mcp-approval:${once}`, "", { ifVersion: 0, ttlMs: LIFE_MS });
      // guard: MCP: an agreement is used once | always | mcp/approval
      return taken === undefined ? undefined : usd;
    },
  };
}
