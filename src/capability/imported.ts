/**
 * The capabilities that this process has imported. In-process, where nothing is mounted, a composed call finds its
 * parts here, so it does not have to import them itself.
 */
import type { AnyCapability } from "./types.js";

const imported = /* @__PURE__ */ new Map<string, AnyCapability>();

export function noteImported(capability: AnyCapability): void {
  imported.set(capability.id, capability);
}

export const findImported = (id: string): AnyCapability | undefined => imported.get(id);
