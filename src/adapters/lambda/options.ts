/** Options of `lambda`, and their checks. */
import { shape } from "../../lib/options/check.js";
import { count } from "../../lib/options/kinds.js";
import { PROXIES, type ProxyOptions } from "../forwarded.js";

export interface LambdaOptions extends ProxyOptions {
  /**
   * How long the gateway or load balancer in front waits for an answer, in milliseconds. Default: AWS's own 29 seconds
   * for a REST API, 30 for an HTTP API, 60 for a load balancer, no limit for a function URL.
   */
  gatewayTimeoutMs?: number;
}

export const lambdaOptions = shape<LambdaOptions>({ ...PROXIES, gatewayTimeoutMs: count(1) });
