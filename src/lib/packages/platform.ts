/** AWS Lambda, which stops the process between calls, so timers do not run. */
export const onLambda = (env: Record<string, string | undefined> = process.env): boolean =>
  env.AWS_LAMBDA_FUNCTION_NAME !== undefined;

/** Variables of environments that may run several copies of a process: a cluster's worker, or a scaling platform. */
const OF_SEVERAL = [
  "AWS_LAMBDA_FUNCTION_NAME",
  "DYNO",
  "FLY_APP_NAME",
  "KUBERNETES_SERVICE_HOST",
  "K_SERVICE",
  "NETLIFY",
  "NODE_APP_INSTANCE",
  "NODE_UNIQUE_ID",
  "RAILWAY_SERVICE_ID",
  "RENDER_SERVICE_ID",
  "VERCEL",
  "WEBSITE_INSTANCE_ID",
];

/** Whether other processes may run beside this one; in production only the host knows. */
export const maybeOfSeveral = (env: Record<string, string | undefined> = process.env): boolean =>
  env.NODE_ENV === "production" || onWorkers() || OF_SEVERAL.some((name) => env[name] !== undefined);

/** Cloudflare Workers: no threads, no native code, no permanent files, and no work outside of requests. */
export function onWorkers(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent === "Cloudflare-Workers";
}
