import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** GoPlus Security's reports on addresses. Keyless for some thirty calls a minute. */
export const goplus = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GoPlus Security",
  url: "https://gopluslabs.io",
  license: "GoPlus API terms of service",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "No words of GoPlus Security are known on who sells its answers on.",
    url: "https://gopluslabs.io",
    checkedAt: null,
  },
  baseUrl: "https://api.gopluslabs.io/api/v1",
  settings: [
    {
      name: "GOPLUS_APP_KEY",
      what: "a key of GoPlus, for larger allowances, together with `GOPLUS_APP_SECRET`",
      keyUrl: "https://gopluslabs.io",
      free: true,
    },
    {
      name: "GOPLUS_APP_SECRET",
      what: "what belongs to `GOPLUS_APP_KEY`",
      keyUrl: "https://gopluslabs.io",
      free: true,
    },
  ],
  errorIn,
});

const verdict = lazySchema(() => z.object({ code: z.number() }));

const OK = 1;
/** Some of its sources did not answer; the findings of the others are valid. */
const PARTIAL = 2;
const KEY_CODES = new Set([4010, 4011, 4012, 4022, 4023]);

/** Every answer has status 200 and a code of its own. */
function errorIn(body: unknown): CapabilityError | undefined {
  const code = verdict().safeParse(body).data?.code;
  if (code === undefined || code === OK || code === PARTIAL) return undefined;
  if (code === 2004) return invalid("address", "cannot be read by GoPlus");
  if (code === 2018) return invalid("chainId", "is unknown to GoPlus");
  if (code === 5006) return new CapabilityError("INVALID_INPUT", "GoPlus cannot read these parameters.");
  if (code === 4029)
    return new CapabilityError("UPSTREAM_RATE_LIMIT", "GoPlus is rate limiting requests; retry later.", {
      retryAfter: 60,
    });
  return KEY_CODES.has(code)
    ? new CapabilityError("PROVIDER_NOT_CONFIGURED", "GoPlus refused GOPLUS_APP_KEY and GOPLUS_APP_SECRET.")
    : new CapabilityError("UPSTREAM_ERROR", `GoPlus answered with code ${code}.`);
}
