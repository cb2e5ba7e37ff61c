/**
 * Node's threads, where there are any. Asked for at run time, because an import of them ends a program at its start on
 * Cloudflare Workers, which have no such module before the compatibility date 2026-03-17.
 */
export const Worker = process.getBuiltinModule("node:worker_threads")
  ?.Worker as typeof import("node:worker_threads").Worker;
