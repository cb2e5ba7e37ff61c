/**
 * The capabilities that this process has imported. A call made of others finds them here when it runs in-process, where
 * nothing is mounted, so that it needs to import none of them itself.
 */
import type { AnyCapability } from "./types.js";

const imported = /* @__PURE__ */ new Map<string, AnyCapability>();

export function noteImported(capability: AnyCapability): void {
  imported.set(capability.id, capability);
}

export const findImported = (id: string): AnyCapability | undefined => imported.get(id);
