/** One check of a running service, with what it needs loaded. */

import type { AnyCapability } from "../capability/types.js";
import { FormatError } from "../upstream/format-error.js";
import { isName } from "../upstream/inventory/paths.js";
import { tellFailure, tellRecovery } from "./alerts.js";
import { checkCapability } from "./check.js";
import { type DriftVerdict, TO_MEND } from "./classify.js";
import type { Difference } from "./compare.js";
import type { LiveDeps } from "./deps.js";
import { detailOf, findingsOf } from "./findings.js";
import type { HealthRecord } from "./health-record.js";
import { observe } from "./observe.js";
import type { DriftEvent } from "./options.js";
import { withoutNames } from "./report.js";

/** Within which a check ends, so that a platform with a clock can wait for it. */
const CHECK_MS = 30_000;

export async function checkOne(
  capability: AnyCapability,
  deps: LiveDeps & { health: HealthRecord; periodMs: number },
): Promise<void> {
  const { call, now, health, logger, periodMs } = deps;
  const { id } = capability;
  const observer = observe(call.fetch ?? ((input, init) => globalThis.fetch(input, init)));
  const options = { ...call, signal: AbortSignal.timeout(CHECK_MS) };
  const checked = await checkCapability(capability, { observer, options, clock: () => new Date(now()), keyed: false });
  const worst = checked.verdicts.find((verdict) => TO_MEND.has(verdict.class));
  if (!worst) {
    if (checked.verdicts.some((verdict) => verdict.class !== "ok") || checked.verdicts.length === 0) return;
    const event = { ...eventOf(id, { verdict: checked.verdicts[0], failures: 0 }), outcome: "recovered" as const };
    await tellRecovery(deps, event, now() + periodMs);
    return;
  }
  const [finding] = findingsOf([{ ...checked, verdicts: [worst] }], []);
  const what = finding ? detailOf(finding, new Date(now())) : worst.class;
  const { provider, class: own } = worst;
  const { state, isNews } = await health.fail(id, { class: own, provider, what, asked: provider, by: "check" });
  if (isNews)
    logger.warn({ endpoint: id, provider, class: own, what, failures: state.failures }, "live: an upstream changed");
  await tellFailure(deps, eventOf(id, { verdict: worst, failures: state.failures }), { state, isNews });
}

interface Verdicts {
  verdict: DriftVerdict | undefined;
  failures: number;
}

const eventOf = (id: string, { verdict, failures }: Verdicts): Omit<DriftEvent, "outcome"> => ({
  kind: "drift",
  id,
  provider: verdict?.provider ?? id,
  ...(verdict ? { call: verdict.call } : {}),
  class: verdict?.class ?? "ok",
  differences: (verdict?.differences ?? []).map(withoutNames),
  failures,
  by: "check",
});

/** Where our reader refused an answer, as its error tells: a path, and no value. */
export function differenceIn(error: unknown): Difference | undefined {
  const { cause } = (error ?? {}) as { cause?: unknown };
  if (!(cause instanceof FormatError)) return undefined;
  const parts = (cause.path || "$")
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? "[]" : isName(part) ? `.${part}` : "{}"));
  return { path: parts.join("").replace(/^\./, ""), was: "known", now: "refused", count: 1, of: 1 };
}
