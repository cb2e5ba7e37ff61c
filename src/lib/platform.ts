/** AWS Lambda, which stops the process between calls: no timer there. */
export const onLambda = (env: Record<string, string | undefined> = process.env): boolean =>
  env.AWS_LAMBDA_FUNCTION_NAME !== undefined;

/** Cloudflare Workers: no thread, no native code, no lasting files, and nothing runs but while a request is answered. */
export function onWorkers(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
