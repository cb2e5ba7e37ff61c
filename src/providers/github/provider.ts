import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { HOUR_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const refusal = lazySchema(() =>
  z.object({ message: z.string(), block: z.object({ reason: z.string().nullish() }).nullish() }),
);

/** GitHub's REST API: 60 requests an hour and address, 5000 with the host's token. */
export const github = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GitHub",
  url: "https://github.com",
  license: "GitHub API terms; repository content under its own licence",
  terms: {
    resale: "limited",
    attribution: null,
    note: "GitHub's API terms forbid selling its users' personal information and sharing tokens to pass the rate limits, and offer subscriptions for access that resells its service; repositories are under their own licences.",
    url: "https://docs.github.com/en/site-policy/github-terms/github-terms-of-service",
    checkedAt: "2026-11-22",
  },
  baseUrl: "https://api.github.com",
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  secret: {
    name: "GITHUB_TOKEN",
    required: false,
    in: { header: "authorization", prefix: "Bearer " },
    keyUrl: "https://github.com/settings/tokens",
    free: true,
  },
  quota: { requests: 60, perMs: HOUR_MS },
  withKey: { quota: { requests: 5000, perMs: HOUR_MS } },
  errorIn,
});

/** An exhausted allowance is a 403, too; any other 403 or 451 is a repository that GitHub blocks. */
function errorIn(body: unknown, status: number): CapabilityError | undefined {
  if (status !== 403 && status !== 451) return undefined;
  const { data } = refusal().safeParse(body);
  if (!data) return undefined;
  if (/rate limit|abuse detection/i.test(data.message))
    // GitHub asks for a pause of at least a minute.
    return new CapabilityError("UPSTREAM_RATE_LIMIT", "GitHub is rate limiting requests; retry later.", {
      retryAfter: 60,
    });
  const reason = /^\w{1,40}$/.exec(data.block?.reason ?? "")?.[0];
  return new CapabilityError("NOT_FOUND", `GitHub does not give out this repository${reason ? ` (${reason})` : ""}.`);
}
