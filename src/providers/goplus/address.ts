/** GoPlus's findings on an address. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { flag, label, number, reaching } from "../../upstream/fields.js";
import { goplus } from "./provider.js";

export const RISKS = [
  "blacklist_doubt",
  "blackmail_activities",
  "cybercrime",
  "darkweb_transactions",
  "fake_kyc",
  "fake_standard_interface",
  "fake_token",
  "financial_crime",
  "gas_abuse",
  "honeypot_related_address",
  "malicious_mining_activities",
  "mixer",
  "money_laundering",
  "phishing_activities",
  "reinit",
  "sanctioned",
  "stealing_attack",
] as const;
export type Risk = (typeof RISKS)[number];

const risks = () => Object.fromEntries(RISKS.map((risk) => [risk, flag()])) as Record<Risk, ReturnType<typeof flag>>;

/** 1, 0, or -1 if unknown. */
const others = () => ({
  contract_address: flag(),
  number_of_malicious_contracts_created: number(),
  data_source: label(),
});
/** Older answers lack it. */
const NEWER = "fake_token";

const report = lazySchema(() => {
  const older = RISKS.filter((risk) => risk !== NEWER).map((risk) => `result.${risk}`);
  return z
    .unknown()
    .check(reaching(older, ({ code }) => code !== 1))
    .pipe(
      z.object({
        code: z.number(),
        // Missing flags say nothing, and a report without any flag would look clean.
        result: z
          .object({ ...risks(), ...others() })
          .refine((result) => RISKS.some((risk) => result[risk] !== null), "has none of the known flags"),
      }),
    );
});

/** Risks are null if GoPlus has no finding. Without a chain it would call any address clean. */
export async function readAddressReport(ctx: Context, { chainId, address }: { chainId: string; address: string }) {
  const token = await accessToken(ctx);
  const { code, result } = await upstream(ctx, goplus).get(segments("address_security", address), {
    query: { chain_id: chainId },
    ...(token ? { headers: { authorization: token } } : {}),
    schema: report(),
    ttlMs: 10 * MINUTE_MS,
  });
  return { ...result, partial: code !== 1 };
}

/** A signature is valid for 1,000 seconds around its time. One for each ten minutes keeps equal requests equal. */
const SIGNED_FOR_MS = 10 * MINUTE_MS;

async function accessToken(ctx: Context): Promise<string | undefined> {
  const [key, secret] = [ctx.secret("GOPLUS_APP_KEY"), ctx.secret("GOPLUS_APP_SECRET")];
  if (!key || !secret) return undefined;
  const time = (Math.floor(ctx.clock().getTime() / SIGNED_FOR_MS) * SIGNED_FOR_MS) / 1000;
  const sign = createHash("sha1").update(`${key}${time}${secret}`).digest("hex");
  const { result } = await upstream(ctx, goplus).ask("/token", {
    body: { app_key: key, sign, time },
    schema: z.object({ result: z.object({ access_token: z.string().min(1) }) }),
    ttlMs: SIGNED_FOR_MS,
  });
  // The text includes the word Bearer.
  return result.access_token;
}
