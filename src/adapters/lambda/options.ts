/** Options of `lambda`, and their checks. */
import { shape } from "../../lib/options/check.js";
import { count, flag } from "../../lib/options/kinds.js";
import { PROXIES, type ProxyOptions } from "../shared/forwarded.js";

export interface LambdaOptions extends ProxyOptions {
  /**
   * How long the gateway or load balancer in front waits for an answer, in milliseconds. Default: AWS's own 29 seconds
   * for a REST API, 30 for an HTTP API, 60 for a load balancer, no limit for a function URL.
   */
  gatewayTimeoutMs?: number;
  /**
   * Sends answers as they are made, so that streams arrive chunk by chunk, where AWS's runtime offers it. For functions
   * whose URL has the invoke mode `RESPONSE_STREAM`; others would get an answer that they cannot read. Default false.
   */
  stream?: boolean;
}

export const lambdaOptions = shape<LambdaOptions>({ ...PROXIES, gatewayTimeoutMs: count(1), stream: flag });
