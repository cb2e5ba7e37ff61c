/** The path at which `ai.chat` is sold in the words of OpenAI's API, too. */
import type { Catalogue } from "../../host/catalogue.js";
import type { Host } from "../../host/host.js";

/** The endpoint that the alias sells, and its path below the base path. */
export const OPENAI_ENDPOINT = "ai.chat";
const PATH = "/ai/chat/completions";

/** The alias's path, if this host mounts it. */
export function openAiPathOf({
  basePath,
  byId,
  openAiAlias,
}: Pick<Catalogue, "basePath" | "byId"> & { openAiAlias: boolean }): string | undefined {
  return openAiAlias && byId.has(OPENAI_ENDPOINT) ? basePath + PATH : undefined;
}

/** Whether a call came by the alias, and is read and refused in its words. */
export const speaksOpenAi = ({ host, url }: { host: Pick<Host, "openAiPath">; url: URL }): boolean =>
  host.openAiPath !== undefined && url.pathname === host.openAiPath;
