/** The catalogue for the commands: all capabilities, in this process, free. */
import { capabilities } from "../capabilities/index.js";
import type { AnyCapability } from "../capability/types.js";
import { createHandler, type Handler } from "../handler/handler.js";
import type { Logger } from "../lib/logger.js";
import { silent } from "../lib/logger.js";
import { didYouMean, UsageError } from "./usage.js";

export const all: readonly AnyCapability[] = capabilities;

export const freeHandler = (logger: Logger = silent): Handler =>
  createHandler({ capabilities: all, payment: false, logger });

/** The capability with this id. Throws a UsageError that suggests the closest id. */
export function capabilityNamed(id: string | undefined, command: string): AnyCapability {
  if (id === undefined) throw new UsageError(`Name an endpoint: coinslot ${command} <id>, such as convert.unit.`);
  const found = all.find((one) => one.id === id);
  if (found) return found;
  const ids = all.map((one) => one.id);
  const sameName = ids.filter((one) => one.split(".")[1] === id || one.startsWith(`${id}.`)).slice(0, 5);
  const hint = didYouMean(id, ids) || (sameName.length > 0 ? ` Did you mean one of ${sameName.join(", ")}?` : "");
  throw new UsageError(`Unknown capability "${id}".${hint} coinslot search finds one by what it does.`);
}
