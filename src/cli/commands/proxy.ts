import type { HandlerOptions } from "../../host/options.js";
import { gatewayOf, tryLine } from "../gateway.js";
import type { Invocation } from "../invocation.js";
import { serveUntilStopped } from "../serving.js";

/** Sells the APIs of a gateway's file until it is stopped. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { capabilities, origins, host } = await gatewayOf(invocation, "proxy");
  for (const { left } of origins)
    for (const { operation, because } of left)
      terminal.note(`${terminal.yellow("Not sold:")} ${operation}: ${because}.`);
  return serveUntilStopped(invocation, {
    capabilities,
    host: host as Partial<HandlerOptions>,
    lines: origins.map(({ group, origin, endpoints }) => [group, `${origin}  ${endpoints.length} routes`]),
    example: (paid, url) => {
      const easy = capabilities.find(({ trial }) => trial !== false) ?? capabilities[0];
      return tryLine(easy, url, paid && host.trial !== false && easy?.trial !== false);
    },
  });
}
