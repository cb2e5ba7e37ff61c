import { without } from "../../errors.js";
import { consoleLogger } from "../../lib/logger.js";
import { freeHandler } from "../catalogue.js";
import type { Invocation } from "../invocation.js";

/** Serves the model that started this process, until it disconnects. Standard output belongs to the protocol. */
export async function run({ options }: Invocation): Promise<number> {
  const { serveStdio } = await import("../../mcp/index.js").catch(without("@modelcontextprotocol/sdk"));
  const tools = (options.tools as string | undefined)?.split(",");
  const handle = freeHandler(consoleLogger());
  await serveStdio(handle, tools ? { tools: tools.length === 1 && tools[0] === "all" ? "all" : tools } : {});
  await handle.close();
  return 0;
}
