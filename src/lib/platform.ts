/** AWS Lambda, which stops the process between calls, so timers do not run. */
export const onLambda = (env: Record<string, string | undefined> = process.env): boolean =>
  env.AWS_LAMBDA_FUNCTION_NAME !== undefined;

/** Cloudflare Workers: no threads, no native code, no permanent files, and no work outside of requests. */
export function onWorkers(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
