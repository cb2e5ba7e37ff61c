/** Cloudflare Workers: no thread, no native code, no lasting files, and nothing runs but while a request is answered. */
export function onWorkers(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
