/** The User-Agent of requests. */
import type { Provider } from "../capability/provider.js";
import type { Context } from "../capability/types.js";

type Sender = Pick<Context, "userAgent">;

/** For upstreams that answer browsers only, and for callers' pages. */
export const browserAgent = ({ userAgent }: Sender): string => `Mozilla/5.0 (compatible; ${userAgent})`;

/** For a provider: the sender, with the operator's contact if the host gave one. */
export function agentFor({ agent }: Pick<Provider, "agent">, ctx: Pick<Context, "userAgent" | "setting">): string {
  if (agent === "browser") return browserAgent(ctx);
  const contact = agent && ctx.setting(agent.contact)?.replace(/[^\x20-\x7e]/g, "");
  return contact ? `${ctx.userAgent} (${contact})` : ctx.userAgent;
}
